//! One test, two databases.

/// Runs each named `async fn(Database)` as two tests: `sqlite::name` and `postgres::name`.
///
/// Where there is no Postgres, the latter has nothing to run on and says so on the standard output.
#[macro_export]
macro_rules! both {
    ($($test:ident),+ $(,)?) => {
        mod sqlite { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test($crate::Database::sqlite()).await;
            }
        )+ }
        mod postgres { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                if let Some(database) = $crate::Database::postgres().await {
                    super::$test(database).await;
                }
            }
        )+ }
    };
}
