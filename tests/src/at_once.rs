//! Requests that are on their way at the same moment.

/// Sends all before any is answered; the answers in the order of the calls.
pub async fn all<T, C>(calls: impl IntoIterator<Item = C>) -> Vec<T>
where
    T: Send + 'static,
    C: Future<Output = T> + Send + 'static,
{
    let sent: Vec<_> = calls.into_iter().map(tokio::spawn).collect();
    let mut answers = Vec::new();
    for answer in sent {
        answers.push(answer.await.expect("every request is answered"));
    }
    answers
}

/// Sends two. Which one sets out first changes from turn to turn; which one arrives first is left to chance.
pub async fn race<T, U>(
    turn: usize,
    one: impl Future<Output = T> + Send + 'static,
    two: impl Future<Output = U> + Send + 'static,
) -> (T, U)
where
    T: Send + 'static,
    U: Send + 'static,
{
    let (one, two) = if turn.is_multiple_of(2) {
        let one = tokio::spawn(one);
        (one, tokio::spawn(two))
    } else {
        let two = tokio::spawn(two);
        (tokio::spawn(one), two)
    };
    (one.await.expect("an answer"), two.await.expect("an answer"))
}

/// A call of a player's to be sent later, on its own: `later!(player.join(match_id))`.
#[macro_export]
macro_rules! later {
    ($player:ident . $call:ident ( $($argument:ident),* )) => {{
        let ($player, $($argument),*) = ($player.clone(), $($argument.clone()),*);
        async move { $player.$call($(&$argument),*).await }
    }};
}
