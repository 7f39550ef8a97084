//! What an import is told of a source that has no header, and the header that it gets.

use std::collections::BTreeMap;

use crate::engine::Identity;
use crate::recording::header::{Header, Layout, Part, VERSION};
use crate::recording::recorded::Recorded;

/// What a header says where nobody knows.
const UNKNOWN: &str = "unknown";

/// What an import must be told where the source does not say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What answered.
    pub recorded: Recorded,
    /// The file that describes it, as it was named.
    pub file: Option<String>,
    /// Name of the device that answered; in the public layout its folder is called so.
    pub device: Option<String>,
    /// When it answered, if that is known.
    pub time: Option<String>,
    /// Whether elements are numbers, else encodings.
    pub numbers: bool,
}

impl Told {
    /// The header of so many vectors out of a layout.
    pub(super) fn header(&self, layout: &str, vectors: u64) -> Header {
        let device = self.device.clone();
        Header {
            version: VERSION,
            tensorsmith: env!("CARGO_PKG_VERSION").to_owned(),
            recorded: self.time.clone().unwrap_or_else(|| UNKNOWN.to_owned()),
            subject: self.recorded.name().to_owned(),
            described: self.recorded.described(self.file.as_deref()),
            layout: Layout::of(&self.recorded.interface()),
            engine: Identity {
                engine: device.clone().unwrap_or_else(|| UNKNOWN.to_owned()),
                version: UNKNOWN.to_owned(),
            },
            device: device.map_or(BTreeMap::new(), |name| BTreeMap::from([("name".to_owned(), name)])),
            parts: vec![Part { suite: layout.to_owned(), seed: 0, vectors }],
        }
    }
}
