//! From a unit's files to Yosys' netlist of 3-input lookup tables.

use thiserror::Error;

use super::interface::Variant;
use crate::describe::unit::Unit;
use crate::emit::nextpnr::NextpnrError;
use crate::emit::yosys::{self, YosysError};
use crate::emit::{SourceFile, digest};
use crate::engine::cache::cache_folder;
use crate::engine::installed;
use crate::verilate::{self, Cache, Key, Kind};

/// What ABC makes of the logic: structural choices, then 3-input tables of small area. Its sweeping for equal signals, which its
/// own script does first, saves two tables in a hundred here and takes minutes on multipliers.
const ABC: &str = "strash;dc2;dc2;strash;dch,-f;if,-K,3,-a;mfs2,-a;lutpack";

/// The name of the file by which products become gates.
pub const MULTIPLY: &str = "multiply.v";

/// How products become gates.
pub fn multiply() -> SourceFile {
    SourceFile { name: MULTIPLY.to_owned(), text: include_str!("multiply.v").to_owned() }
}

/// The steps of Yosys for module `top` of these files, of which that for products is no module of the unit.
pub fn script(top: &str, files: &[SourceFile]) -> String {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).filter(|&name| name != MULTIPLY).collect();
    steps(&format!("read_verilog -sv {}", names.join(" ")), top, "")
}

/// The same of a design of a user's own, after a command that reads its files: enables and resets of registers become logic.
pub fn script_of_design(read: &str, top: &str) -> String {
    let plain = "dfflegalize -cell $_DFF_P_ 01 -cell $_DFF_PP?_ 01\nopt -full -nosdff -nodffe\n";
    steps(read, top, plain)
}

fn steps(read: &str, top: &str, registers: &str) -> String {
    // Sharing of operators is left out: it finds nothing here, and can take hours. Modules are joined when each is synthesised:
    // that takes half the memory for units of many rounded operations, and the tables are as many.
    format!(
        "{read}\nhierarchy -top {top}\nproc\nopt_expr\nopt_clean\nwreduce\n\
         techmap -map {MULTIPLY}\nsynth -noshare -noabc -top {top}\nflatten\nhierarchy -top {top}\nopt -full\n{registers}\
         abc -script +{ABC} -lut 3\nopt_clean -purge\n\
         setattr -unset src\nwrite_json {NETLIST}\n"
    )
}

/// Level of compression in the cache.
const COMPRESSION: i32 = 3;
/// The file that the script writes.
pub const NETLIST: &str = "netlist.json";
/// Beside netlists of an installed program: what the Yosys that made them says to `yosys -V`.
const VERSION: &str = "yosys-version.txt";

/// A netlist and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What Yosys wrote.
    pub json: String,
    /// Yosys' version.
    pub yosys: String,
    /// SHA-256 of what it wrote, in hexadecimal.
    pub sha256: String,
}

impl Source {
    fn new(json: String, yosys: &str) -> Source {
        let sha256 = digest(json.as_bytes());
        Source { json, yosys: yosys.to_owned(), sha256 }
    }
}

/// Why there is no netlist.
#[derive(Debug, Error)]
pub enum NetlistError {
    #[error(transparent)]
    Yosys(#[from] YosysError),
    #[error(transparent)]
    Nextpnr(#[from] NextpnrError),
    /// Others can write the cache, or a folder is in a netlist's place.
    #[error("{0}")]
    Cache(String),
}

/// The netlist of a module of a unit, from the cache if it was made before.
///
/// # Errors
/// Yosys refuses the files, or takes longer than a quarter of an hour; the cache is refused.
pub fn netlist_of(unit: &Unit, variant: Variant, files: Vec<SourceFile>, yosys: &str) -> Result<Source, NetlistError> {
    let top = variant.module(unit);
    let json = written(&top, &files, &script(&top, &files), NETLIST, yosys)?;
    Ok(Source::new(json, yosys))
}

/// The netlist of a module of a unit that lies beside an installed program, as the Yosys that its file [`VERSION`] names made it of
/// the same files.
pub fn installed_netlist(unit: &Unit, variant: Variant, files: &[SourceFile]) -> Option<Source> {
    let folder = installed::folder()?.join("netlists");
    let yosys = std::fs::read_to_string(folder.join(VERSION)).ok()?;
    let top = variant.module(unit);
    let key = key(yosys.trim(), &script(&top, files), files);
    let packed = Cache::of_others(&folder).ok()?.content(Kind::Netlist, &top, &key).ok()??;
    Some(Source::new(unpacked(&packed)?, yosys.trim()))
}

/// Stands for what Yosys makes of files by a script.
fn key(yosys: &str, script: &str, files: &[SourceFile]) -> String {
    let key = Key::new("netlist").text(yosys).text(script);
    key.texts(files.iter().flat_map(|file| [file.name.as_str(), file.text.as_str()])).finish()
}

/// The file of that name that a script writes of these files, from the cache if it was made before.
///
/// # Errors
/// As [`netlist_of`].
pub fn written(top: &str, files: &[SourceFile], script: &str, name: &str, yosys: &str) -> Result<String, NetlistError> {
    kept(top, &key(yosys, script, files), || {
        Ok(yosys::run(files, script, yosys::LIMIT).and_then(|finished| finished.read(name))?)
    })
}

/// The text of that key, from the cache if it was made before.
///
/// # Errors
/// It cannot be made, or the cache is refused.
pub fn kept(top: &str, key: &str, make: impl FnOnce() -> Result<String, NetlistError>) -> Result<String, NetlistError> {
    // A cache that cannot be used costs time, and nothing else.
    let cache = match cache_folder().map(|folder| Cache::open(&folder)) {
        Ok(Err(verilate::Error::Refused(why))) => return Err(NetlistError::Cache(why)),
        opened => opened.ok().and_then(Result::ok),
    };
    let kept = cache.as_ref().map_or(Ok(None), |cache| cache.content(Kind::Netlist, top, key));
    let kept = kept.map_err(|why| NetlistError::Cache(why.to_string()))?;
    match kept.and_then(|packed| unpacked(&packed)) {
        Some(text) => Ok(text),
        None => {
            let text = make()?;
            if let (Some(cache), Ok(packed)) = (cache, zstd::encode_all(text.as_bytes(), COMPRESSION)) {
                let _ = cache.publish_content(Kind::Netlist, top, key, &packed);
            }
            Ok(text)
        }
    }
}

fn unpacked(packed: &[u8]) -> Option<String> {
    String::from_utf8(zstd::decode_all(packed).ok()?).ok()
}
