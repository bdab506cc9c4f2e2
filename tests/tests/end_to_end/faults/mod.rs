//! What becomes of matches when a process, a connection or a database fails.

mod crashes;
mod database_faults;
mod database_restarts;
mod disconnects;
mod embedded_faults;
mod storage;
