//! What is watched by somebody on this instance, and what is newest there.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// Below this many, nothing is given back: it would be asked for again at once.
const KEPT: usize = 64;

/// The newest `V` of every `K` that somebody watches. What nobody watches takes no memory, and however many
/// watch one thing and however slowly they look, only its newest `V` is kept.
pub(super) struct Registry<K, V> {
    watched: Mutex<HashMap<K, Watched<V>>>,
}

struct Watched<V> {
    newest: watch::Sender<V>,
    watchers: usize,
}

impl<K: Copy + Eq + Hash, V: Default> Registry<K, V> {
    /// Nothing is watched yet.
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            watched: Mutex::default(),
        })
    }

    /// Watches `key` until the answer is dropped. The first watcher of a thing knows nothing of it yet.
    pub(super) fn watch(self: &Arc<Self>, key: K) -> Watch<K, V> {
        let mut all = self.lock();
        let watched = all.entry(key).or_insert_with(|| Watched {
            newest: watch::Sender::new(V::default()),
            watchers: 0,
        });
        watched.watchers += 1;
        Watch {
            registry: self.clone(),
            key,
            newest: watched.newest.subscribe(),
        }
    }

    /// Tells those who watch `key`, if anybody does; `change` says whether there is something new for them.
    pub(super) fn tell(&self, key: K, change: impl FnOnce(&mut V) -> bool) {
        let sender = self.lock().get(&key).map(|watched| watched.newest.clone());
        if let Some(sender) = sender {
            sender.send_if_modified(change);
        }
    }

    /// What is newest of `key`, if anybody watches it.
    pub(super) fn newest<R>(&self, key: K, read: impl FnOnce(&V) -> R) -> Option<R> {
        let sender = self.lock().get(&key).map(|watched| watched.newest.clone())?;
        let answer = read(&sender.borrow());
        Some(answer)
    }

    /// Everything that is watched.
    pub(super) fn keys(&self) -> Vec<K> {
        self.lock().keys().copied().collect()
    }

    /// How many watch `key`.
    pub(super) fn watchers(&self, key: K) -> usize {
        self.lock().get(&key).map_or(0, |watched| watched.watchers)
    }

    /// Nothing in here can panic half-way, so a poisoned lock guards a whole map all the same.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Watched<V>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, key: K) {
        let mut all = self.lock();
        let Some(watched) = all.get_mut(&key) else {
            return;
        };
        watched.watchers -= 1;
        if watched.watchers == 0 {
            all.remove(&key);
        }
        // After a rush the map is as large as it ever was.
        if all.capacity() > KEPT.max(all.len() * 4) {
            let wanted = KEPT.max(all.len() * 2);
            all.shrink_to(wanted);
        }
    }
}

/// Somebody watches; dropping it ends that.
pub(crate) struct Watch<K: Copy + Eq + Hash, V: Default> {
    registry: Arc<Registry<K, V>>,
    key: K,
    newest: watch::Receiver<V>,
}

impl<K: Copy + Eq + Hash, V: Default> Watch<K, V> {
    /// Completes when the newest fulfils the condition; at once if it already does.
    pub(crate) async fn wait_for(&mut self, condition: impl FnMut(&V) -> bool) {
        if self.newest.wait_for(condition).await.is_err() {
            // The registry keeps the sender as long as it is watched, so this cannot be; if it were, there
            // would be no news.
            std::future::pending::<()>().await;
        }
    }

    /// Reads the newest.
    pub(crate) fn newest<R>(&self, read: impl FnOnce(&V) -> R) -> R {
        read(&self.newest.borrow())
    }
}

impl<K: Copy + Eq + Hash, V: Default> Drop for Watch<K, V> {
    fn drop(&mut self) {
        self.registry.leave(self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::Registry;
    use futures_util::FutureExt;

    #[test]
    fn what_nobody_watches_is_forgotten() {
        let registry = Registry::<u8, u64>::new();
        let (one, other) = (registry.watch(1), registry.watch(1));
        registry.tell(1, |newest| {
            *newest = 7;
            true
        });
        drop(one);
        assert_eq!(
            (registry.watchers(1), registry.newest(1, |newest| *newest)),
            (1, Some(7))
        );
        assert_eq!(other.newest(|newest| *newest), 7);
        drop(other);
        assert!(registry.keys().is_empty());
        registry.tell(1, |_| unreachable!("nobody watches"));
        assert_eq!(registry.watch(1).newest(|newest| *newest), 0);
    }

    #[test]
    fn memory_is_given_back_after_a_rush() {
        let registry = Registry::<u32, u64>::new();
        let crowd: Vec<_> = (0..10_000).map(|key| registry.watch(key)).collect();
        assert!(registry.lock().capacity() >= 10_000);
        drop(crowd);
        assert!(registry.lock().capacity() <= 256);
    }

    #[test]
    fn a_watcher_wakes_for_what_it_waits_for_alone() {
        let registry = Registry::<u8, u64>::new();
        let mut watch = registry.watch(1);
        let set = |version| {
            registry.tell(1, |newest| {
                *newest = version;
                true
            });
        };
        set(3);
        assert!(watch.wait_for(|newest| *newest > 3).now_or_never().is_none());
        set(4);
        assert!(watch.wait_for(|newest| *newest > 3).now_or_never().is_some());
    }
}
