//! One share of the processors for everything that is measured together.

use std::path::Path;

/// Puts this process, and what it starts from now on, into one group for the scheduler; says why it cannot.
///
/// Otherwise the kernel gives each session a share of its own, and each process of the database is a session:
/// the service would get one share beside dozens.
pub(crate) fn join() -> Result<(), String> {
    let groups = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"].map(Path::new);
    let hierarchy = groups.into_iter().find(|path| path.join("cgroup.procs").exists());
    let group = hierarchy
        .ok_or("there are no control groups here")?
        .join("quartett-ceiling");
    let failed = |error: std::io::Error| format!("{}: {error}", group.display());
    if !group.exists() {
        std::fs::create_dir(&group).map_err(failed)?;
    }
    if !group.join("cpu.weight").exists() && !group.join("cpu.shares").exists() {
        return Err(format!("{} shares no processors", group.display()));
    }
    std::fs::write(group.join("cgroup.procs"), std::process::id().to_string()).map_err(failed)
}
