//! Progress: a bar in a terminal, otherwise a line now and then.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{
    DecimalBytes, HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use super::{interrupt, say};
use crate::diagnostic::counted;
use crate::folder::Listener;
use crate::select::Twinning;

/// The time between two lines of progress.
const PAUSE: Duration = Duration::from_secs(5);

/// A bar that fills up as this many stories, rows or files are done, if there is a terminal.
pub fn bar(count: u64, of_what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::hidden());
    }
    let template =
        format!("{{wide_bar}} {{human_pos}}/{{human_len}} {of_what}  {{msg}}{{rate}}  {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a fixed template");
    let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{:.0}/s", state.per_sec()); // a bar without a rate is a bar
    });
    let bar = ProgressBar::new(count).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A counter for work whose amount is not known, if there is a terminal.
pub fn spinner(of_what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{spinner}} {{human_pos}} {of_what}  {{per_sec}}");
    let style = ProgressStyle::with_template(&template).expect("a fixed template");
    let spinner = ProgressBar::new_spinner().with_style(style);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

/// Does work that takes a while, and says what it is meanwhile, if there is a terminal.
pub fn meanwhile<T>(is_said: bool, what: String, work: impl FnOnce() -> T) -> T {
    if !is_said || !std::io::stderr().is_terminal() {
        return work();
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed}  {wide_msg}").expect("a fixed template");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(200));
    let done = work();
    spinner.finish_and_clear();
    done
}

/// The progress of making stories and their rows, shared by all threads.
pub struct Progress {
    /// Whether to say nothing.
    is_quiet: bool,
    begun: OnceLock<Begun>,
    last_line: Mutex<Instant>,
    stories: AtomicU64,
    rows: AtomicU64,
    bytes: AtomicU64,
}

/// The progress of work that has begun.
struct Begun {
    bar: ProgressBar,
    at: Instant,
    /// The number of stories to be made.
    total: u64,
}

impl Progress {
    /// A progress before the number of stories is known.
    pub fn new(is_quiet: bool) -> Self {
        Self {
            is_quiet,
            begun: OnceLock::new(),
            last_line: Mutex::new(Instant::now()),
            stories: AtomicU64::new(0),
            rows: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// Prints a message in between, unless told to be quiet.
    fn say(&self, text: &str) {
        if self.is_quiet {
            return;
        }
        match self.begun.get() {
            Some(begun) => begun.bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// Removes the bar and reports the result: how many stories were told, which twins each has, how many were left
    /// out, and where the rows went; `nothing` is said where there was no story to make.
    pub fn finish(&self, (stories, twins): (u64, Option<Twinning>), left_out: u64, to: &str, nothing: &str) {
        let Some(Begun { bar, at, total }) = self.begun.get() else { return };
        bar.finish_and_clear();
        let [rows, bytes] = [&self.rows, &self.bytes].map(|count| count.load(Ordering::Relaxed));
        let left_out = match left_out {
            0 => String::new(),
            count => format!(" ({} without an answer left out)", counted(count, "question")),
        };
        if *total == 0 {
            return self.say(&format!("{to}: {nothing}\n"));
        }
        let seconds = at.elapsed().as_secs_f64();
        self.say(&format!(
            "{}{}, {}{left_out}, {} of text, written to {to} in {seconds:.1} s ({:.0} stories/s)\n",
            counted(stories, "story"),
            twins.map_or("", |twins| twins.besides(stories)),
            counted(rows, "row"),
            DecimalBytes(bytes),
            stories as f64 / seconds.max(1e-9)
        ));
    }
}

impl Listener for Progress {
    fn begins(&self, total: u64) {
        self.begun.get_or_init(|| Begun {
            bar: if self.is_quiet { ProgressBar::hidden() } else { bar(total, "stories") },
            at: Instant::now(),
            total,
        });
    }

    fn advances(&self, stories: u64, rows: u64, bytes: u64) {
        let add = |to: &AtomicU64, more: u64| to.fetch_add(more, Ordering::Relaxed) + more;
        let (stories_done, rows, bytes) =
            (add(&self.stories, stories), add(&self.rows, rows), add(&self.bytes, bytes));
        let Some(Begun { bar, at, total }) = self.begun.get().filter(|_| !self.is_quiet) else { return };
        if !bar.is_hidden() {
            bar.inc(stories);
            bar.set_message(format!("{}  {}  ", counted(HumanCount(rows), "row"), DecimalBytes(bytes)));
            return;
        }
        // Somebody else is saying it.
        let Ok(mut last) = self.last_line.try_lock() else { return };
        if last.elapsed() < PAUSE {
            return;
        }
        *last = Instant::now();
        let rate = stories_done as f64 / at.elapsed().as_secs_f64();
        let left = Duration::from_secs_f64(total.saturating_sub(stories_done) as f64 / rate.max(1e-3));
        say(&format!(
            "{} of {}, {}, {} of text, {rate:.0} stories/s, {} left\n",
            HumanCount(stories_done),
            counted(HumanCount(*total), "story"),
            counted(HumanCount(rows), "row"),
            DecimalBytes(bytes),
            HumanDuration(left)
        ));
    }

    fn says(&self, text: &str) {
        self.say(text);
    }

    fn goes_on(&self) -> bool {
        interrupt::goes_on()
    }
}

/// The progress of checking files.
#[derive(Default)]
pub struct Files(OnceLock<ProgressBar>);

impl Files {
    /// Removes the bar.
    pub fn finish(&self) {
        self.0.get().inspect(|bar| bar.finish_and_clear());
    }
}

impl Listener for Files {
    fn begins(&self, count: u64) {
        self.0.get_or_init(|| bar(count, "files"));
    }

    fn advances(&self, count: u64, _rows: u64, _bytes: u64) {
        self.0.get().inspect(|bar| bar.inc(count));
    }
}
