//! Names as people type them, and what is offered for those that are none; completions and manual pages, which list them.

use super::program::Folder;

#[test]
fn misspelt_names_are_answered_with_the_nearest_three() {
    let folder = Folder::new();
    let nearest = "; nearest: hopper-fp16-fp32, ";
    folder.refuse(&["show", "hoper_fp16_fp32"], &["unknown unit \"hoper_fp16_fp32\"", nearest]);
    folder.refuse(&["cosim", "volta-mma-m8n8k4-fp16-fp23"], &["nearest: volta-mma-m8n8k4-fp16-fp32, "]);
    // A device is neither, and what it computes is offered.
    folder.refuse(
        &["gemm", "MI300X", "--a", "a", "--b", "b"],
        &["unknown unit or instruction \"MI300X\"; nearest: cdna3-"],
    );
    folder.refuse(&["show", "h100"], &["unknown unit \"h100\"; nearest: hopper-"]);
    folder.refuse(&["distinguish", "H10", "V100"], &["unknown unit, instruction or device \"H10\"; nearest: H100, "]);
    folder.refuse(&["cosim", "--engines", "emulater"], &["emulater", "emulator"]);
}

#[test]
fn names_in_other_spellings_are_found() {
    let folder = Folder::new();
    let plain = folder.succeed(&["show", "hopper-fp16-fp32"]).stdout;
    assert_eq!(folder.succeed(&["show", "Hopper_FP16_fp32"]).stdout, plain);
    let devices = folder.succeed(&["devices", "h100", "mi300x"]).stdout;
    assert!(devices.starts_with("H100: ") && devices.contains("\nMI300: "), "{devices}");
}

/// A unit of one's own starts from the file of another.
#[test]
fn unit_files_of_the_catalogue_are_printed() {
    let folder = Folder::new();
    let text = folder.succeed(&["show", "volta-fp16-fp32", "--toml"]).stdout;
    std::fs::write(folder.path("own.toml"), text.replace("\"volta-fp16-fp32\"", "\"own\"")).expect("a file");
    let own = ["cosim", "own.toml", "--engines", "emulator,reference", "--vectors", "100"];
    assert!(folder.succeed(&own).stdout.contains("own: 100 vectors compared, 0 mismatches"));
    folder.refuse(&["show", "volta-fp16-fp32", "--toml", "--json", "-"], &["cannot be used with"]);
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let text = folder.succeed(&["completions", shell]).stdout;
        assert!(["distinguish", "exhaustive"].iter().all(|word| text.contains(word)), "{shell}");
    }
    folder.refuse(&["completions", "dos"], &["invalid value 'dos'", "bash"]);
    folder.succeed(&["man", "man"]);
    let page = |name: &str| std::fs::read_to_string(folder.path("man").join(name)).expect("a page");
    assert!(page("tensorsmith.1").contains("Exit codes"), "{}", page("tensorsmith.1"));
    assert!(page("tensorsmith-cosim.1").contains("exhaustive") && page("tensorsmith-cache-clear.1").contains("days"));
}
