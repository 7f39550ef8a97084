//! stub to be filled
use super::*;
pub struct Icarus;
impl Icarus { pub fn open(_u:&Unit)->Result<Opened,EngineError>{ Ok(Opened::Unsupported(String::new())) } }
