//! What a page says that a command prints, beside what it printed. A line `...` stands for any lines, `...` within a line for any text;
//! numbers of time and rate, the version of tensorsmith, and how many blanks and dashes stand in a row are not compared.

/// Where the two differ; `None` where they do not.
pub fn difference(expected: &[String], printed: &str) -> Option<String> {
    let printed: Vec<String> = printed.lines().map(plain).collect();
    let mut place = 0;
    let runs: Vec<&[String]> = expected.split(|line| line.trim() == "...").collect();
    for (index, run) in runs.iter().enumerate() {
        let here = || (place..=printed.len()).take(if index == 0 { 1 } else { usize::MAX });
        let ends = |start: usize| index + 1 < runs.len() || start + run.len() == printed.len();
        let fits = |start: &usize| ends(*start) && unlike(run, &printed[*start..]).is_none();
        let Some(start) = here().find(fits) else {
            let first = unlike(run, &printed[place..]).map_or(run.len(), |line| line);
            let wanted = run.get(first).map_or("nothing more", String::as_str);
            return Some(format!("{wanted:?} was not printed there, but\n{}", printed[place..].join("\n")));
        };
        place = start + run.len();
    }
    None
}

/// The first line of a run that what was printed does not begin with.
fn unlike(run: &[String], printed: &[String]) -> Option<usize> {
    (0..run.len()).find(|&line| printed.get(line).is_none_or(|printed| !alike(&plain(&run[line]), printed)))
}

/// Whether a line is as another says, with `...` for any text.
fn alike(expected: &str, printed: &str) -> bool {
    let mut pieces = expected.split("...");
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
        last = Some(piece);
    }
    match last {
        None => rest.is_empty(),
        Some(last) => last.is_empty() || rest.is_empty() || printed.ends_with(last),
    }
}

/// A line without what may differ from run to run and from machine to machine.
fn plain(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| {
        let digits = word.trim_start_matches('(');
        digits.starts_with(|digit: char| digit.is_ascii_digit()) && !digits.contains(|c: char| c.is_alphabetic())
    };
    let unit = |word: Option<&&str>| {
        let word = word.map_or("", |word| word.trim_end_matches([',', ';', ':', '.', ')']));
        ["s", "ms", "/s", "k/s", "M/s", "G/s"].contains(&word)
    };
    let masked = words.iter().enumerate().map(|(index, word)| {
        let before = index.checked_sub(1).map_or("", |index| words[index].trim_start_matches('('));
        match *word {
            word if is_number(word) && unit(words.get(index + 1)) => "0".to_owned(),
            word if is_number(word) && before == "tensorsmith" => "0".to_owned(),
            word if unit(Some(&word)) && index > 0 && is_number(words[index - 1]) => "/s".to_owned(),
            word => without_rows_of_dashes(word),
        }
    });
    masked.collect::<Vec<String>>().join(" ")
}

fn without_rows_of_dashes(word: &str) -> String {
    let mut text = word.to_owned();
    while text.contains("---") {
        text = text.replace("---", "--");
    }
    text
}

#[test]
fn what_differs_is_found() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    let printed =
        "| unit | rate     |\n|------|----------|\n| one  | 1.5 M/s  |\nin all 3 of 3, 0.2 s, tensorsmith 0.1.0\n";
    for same in [
        printed,
        "| unit | rate |\n|---|-----|\n| one | 900 k/s |\nin all 3 of 3, 12.5 s, tensorsmith 1.0.0",
        "...",
        "| unit | rate     |\n...",
        "...\n| one  | 2 M/s |\n...",
        "...\nin all ... of 3, ...",
        "...\n| one  | 2 M/s |\n...\nin all 3 of 3, 1 s, tensorsmith 0.1.0",
    ] {
        assert_eq!(difference(&lines(same), printed), None, "{same}");
    }
    for other in [
        "",
        "| unit | rate |",
        "...\n| one  | 2 M/s |",
        "| one  | 2 M/s |\n...",
        "...\n| two  | 2 M/s |\n...",
        "...\nin all 3 of 4, 0.2 s, tensorsmith 0.1.0",
        "...\nin all ... of 4, ...",
        "...\nin all 3 of 3, 0.2 s, tensorsmith 0.1.0\nmore",
        "...\nin all 3 of 3, 0.2 s, tensorsmith 0.1.0\n...\n| one  | 2 M/s |\n...",
    ] {
        assert!(difference(&lines(other), printed).is_some(), "{other}");
    }
}
