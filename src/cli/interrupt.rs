//! SIGINT and SIGTERM: the command ends its comparison soon and reports what there is. Where it does not end in time, or at a second
//! signal, the reports are written without it, and the process ends.

use std::sync::OnceLock;

use super::Failure;

/// The signal that came.
static SIGNAL: OnceLock<&str> = OnceLock::new();

/// Whether the command is to end.
pub(super) fn came() -> bool {
    SIGNAL.get().is_some()
}

/// # Errors
/// A signal came.
pub(super) fn check() -> Result<(), Failure> {
    SIGNAL.get().map_or(Ok(()), |name| Err(Failure(format!("stopped by {name}"))))
}

/// From now on signals end the command this way. Where no thread can be started, they end the process as usual.
#[cfg(unix)]
pub(super) fn listen() {
    use std::process::exit;
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{Verdict, fail, reports};

    /// Time for a comparison to end by itself. Runners kill a job some seconds after the first signal.
    const GRACE: Duration = Duration::from_secs(4);
    let wait = || {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        let name = match signals.forever().next() {
            Some(SIGINT) => "SIGINT",
            _ => "SIGTERM",
        };
        SIGNAL.get_or_init(|| name);
        let start = Instant::now();
        while start.elapsed() < GRACE && signals.pending().next().is_none() {
            thread::sleep(Duration::from_millis(20));
        }
        if reports::is_pending()
            && let Err(failure) = reports::finish(check().map(|()| Verdict::Agreed))
        {
            fail(&failure);
            exit(2);
        }
    };
    // Without the thread nothing is registered.
    drop(thread::Builder::new().name("signals".to_owned()).spawn(wait));
}

/// There are no such signals.
#[cfg(not(unix))]
pub(super) fn listen() {}
