//! The processor time that processes have taken, as Linux counts it.

use std::time::Duration;

/// Linux tells times in hundredths of a second, whatever it counts in itself.
const TICK_MILLIS: u64 = 10;

/// What a process has taken, with its children that have ended.
#[must_use]
pub fn of_process(id: u32) -> Duration {
    Counted::of(id).map_or(Duration::ZERO, |counted| counted.time)
}

/// The same with all its living children.
#[must_use]
pub fn of_family(id: u32) -> Duration {
    let children = processes()
        .filter_map(Counted::of)
        .filter(|counted| counted.parent == id);
    of_process(id) + children.map(|child| child.time).sum::<Duration>()
}

/// The process that started this one.
#[must_use]
pub fn parent_of(id: u32) -> Option<u32> {
    Counted::of(id).map(|counted| counted.parent)
}

/// What stands in a process's `stat`.
struct Counted {
    parent: u32,
    time: Duration,
}

impl Counted {
    /// `None` if it is gone.
    fn of(id: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name may hold anything but stands between the only brackets that count. What follows is the state,
        // the parent and nine other numbers, then the time as user and in the system, each own and of children.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u64 = fields
            .get(11..15)?
            .iter()
            .filter_map(|ticks| ticks.parse::<u64>().ok())
            .sum();
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            time: Duration::from_millis(ticks * TICK_MILLIS),
        })
    }
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").expect("a Linux system");
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}
