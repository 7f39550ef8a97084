//! What Linux tells about the processor and itself, for the headers of recordings.

use std::collections::BTreeMap;

/// Lines of /proc/cpuinfo and their names in a recording.
const PROCESSOR: [(&str, &str); 4] =
    [("cpu family", "family"), ("model", "model"), ("stepping", "stepping"), ("microcode", "microcode")];

/// Family, model, stepping and microcode of the first processor, and the kernel's name and version; what cannot be read is
/// left out.
pub fn details() -> BTreeMap<String, String> {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let mut details = of_processor(&read("/proc/cpuinfo"));
    let system = kernel(&read("/proc/sys/kernel/ostype"), &read("/proc/sys/kernel/osrelease"));
    details.extend(system.map(|system| ("operating system".to_owned(), system)));
    details
}

/// From the text of /proc/cpuinfo: `model : 143` of the first processor.
fn of_processor(text: &str) -> BTreeMap<String, String> {
    let mut details = BTreeMap::new();
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    for (field, value) in fields.map(|(field, value)| (field.trim(), value.trim())) {
        let wanted = PROCESSOR.iter().find(|(known, _)| *known == field);
        if let (Some((_, name)), false) = (wanted, value.is_empty()) {
            details.entry((*name).to_owned()).or_insert_with(|| value.to_owned());
        }
    }
    details
}

/// `Linux 6.1`: the first two numbers of the release; what follows them is the builder's.
fn kernel(name: &str, release: &str) -> Option<String> {
    let numbers: Vec<&str> = release.trim().split(|letter: char| !letter.is_ascii_digit()).take(2).collect();
    let whole = !name.trim().is_empty() && numbers.len() == 2 && numbers.iter().all(|number| !number.is_empty());
    whole.then(|| format!("{} {}", name.trim(), numbers.join(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_first_processor() {
        let text =
            "processor\t: 0\nmodel\t\t: 143\nmodel name\t: A: B\nstepping\t: 8\n\nprocessor\t: 1\nmodel\t\t: 7\n";
        let found = of_processor(text);
        let expected = [("model", "143"), ("stepping", "8")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(found, BTreeMap::from(expected));
        assert!(of_processor("").is_empty());
    }

    #[test]
    fn names_of_kernels() {
        assert_eq!(kernel("Linux\n", "6.1.0-18-amd64\n").as_deref(), Some("Linux 6.1"));
        assert_eq!(kernel("Linux", "6.12-rc1").as_deref(), Some("Linux 6.12"));
        assert_eq!(kernel("", "6.1"), None);
        assert_eq!(kernel("Linux", "unknown"), None);
    }
}
