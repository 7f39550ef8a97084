//! How far a command is, on standard error: a bar in a terminal, elsewhere a line now and then.

use std::fmt;
use std::io::IsTerminal;
use std::sync::{LazyLock, Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle, WeakProgressBar};

use super::output::note;
use tensorsmith::report::{rate, thousands};

/// Seconds between two lines where there is no terminal. A variable of the environment changes them, for tests.
const LINE_SECONDS: u64 = 30;
const LINE_SECONDS_VARIABLE: &str = "TENSORSMITH_PROGRESS_SECONDS";

/// A bar without a terminal, and what it counts; nothing where only time passes.
type Line = (WeakProgressBar, String, Option<String>);

/// Bars that have lines.
static LINES: Mutex<Vec<Line>> = Mutex::new(Vec::new());

/// Bars in a terminal, each in a line of its own.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A progress bar on standard error, counting `what`.
pub(super) fn progress(name: &str, count: u64, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return with_lines(ProgressBar::with_draw_target(Some(count), hidden()), name, Some(what));
    }
    let bar = BARS.add(ProgressBar::new(count).with_message(name.to_owned()));
    let template = format!("{{msg:20!}} [{{wide_bar}}] {{percent}}% of {{human_len}} {what}, {{rate}}, {{eta}} left");
    let per_second = |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{}", rate(state.per_sec()));
    };
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style.with_key("rate", per_second)),
        Err(_) => bar,
    }
}

/// The time that something takes whose end is not known, on standard error.
pub(super) fn spinner(name: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return with_lines(ProgressBar::hidden(), name, None);
    }
    let spinner = BARS.add(ProgressBar::new_spinner().with_message(name.to_owned()));
    spinner.enable_steady_tick(Duration::from_millis(100));
    match ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        Ok(style) => spinner.with_style(style),
        Err(_) => spinner,
    }
}

/// Shows each model that Verilator and the C++ compiler make while a command runs.
#[cfg(feature = "rtl")]
pub(super) fn show_builds() {
    tensorsmith::engine::rtl::library::watch(|module| Box::new(Build::new(module)));
}

/// A model that is being built.
#[cfg(feature = "rtl")]
struct Build(ProgressBar);

#[cfg(feature = "rtl")]
impl Build {
    fn new(module: &str) -> Build {
        let name = format!("building {module} with Verilator and the C++ compiler");
        if !std::io::stderr().is_terminal() {
            note!("{name}");
        }
        Build(spinner(&name))
    }
}

#[cfg(feature = "rtl")]
impl Drop for Build {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn hidden() -> indicatif::ProgressDrawTarget {
    indicatif::ProgressDrawTarget::hidden()
}

/// Prints a line about a bar now and then, as long as it is there and not finished.
fn with_lines(bar: ProgressBar, name: &str, what: Option<&str>) -> ProgressBar {
    static THREAD: Once = Once::new();
    let line = (bar.downgrade(), name.to_owned(), what.map(str::to_owned));
    LINES.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    THREAD.call_once(|| {
        let seconds = std::env::var(LINE_SECONDS_VARIABLE).ok().and_then(|text| text.parse().ok());
        let interval = Duration::from_secs(seconds.unwrap_or(LINE_SECONDS).max(1));
        let print = move || {
            loop {
                thread::sleep(interval);
                print_lines();
            }
        };
        // Where no thread can be started there are no lines.
        let _ = thread::Builder::new().name("progress".to_owned()).spawn(print);
    });
    bar
}

fn print_lines() {
    let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    lines.retain(|(bar, name, what)| {
        let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) else { return false };
        let seconds = bar.elapsed().as_secs_f64();
        match (what, bar.length()) {
            (Some(what), Some(count)) => {
                let (done, all) = (thousands(bar.position()), thousands(count));
                let rate = rate(bar.position() as f64 / seconds.max(1e-3));
                note!("{name}: {done} of {all} {what}, {rate}, after {seconds:.0} s");
            }
            _ => note!("{name}: after {seconds:.0} s"),
        }
        true
    });
}
