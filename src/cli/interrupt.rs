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

/// From now on an abort ends the process with exit code 2, until the returned function is called: a panic aborts as usual.
#[cfg(unix)]
pub(super) fn exit_at_abort() -> impl Fn() + Send + Sync + 'static {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    let exits = Arc::new(AtomicBool::new(true));
    // Without it the process aborts, with the same message.
    let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 2, Arc::clone(&exits));
    move || exits.store(false, Ordering::Relaxed)
}

/// There are no such signals.
#[cfg(not(unix))]
pub(super) fn listen() {}

#[cfg(not(unix))]
pub(super) fn exit_at_abort() -> impl Fn() + Send + Sync + 'static {
    || {}
}
