//! PTX texts of the tests, and the bytes that their registers are loaded from.

use super::cute::Layout;
use super::values::encode;

/// The head of a module.
pub fn head(version: &str, target: &str) -> String {
    format!(".version {version}\n.target {target}\n.address_size 64\n")
}

/// A kernel named `kernel` with so many .u64 parameters, loaded into %p0, %p1 and so on.
pub fn kernel(head: &str, parameters: usize, body: &str) -> String {
    let list: Vec<String> = (0..parameters).map(|place| format!(".param .u64 p{place}")).collect();
    let loads: Vec<String> = (0..parameters).map(|place| format!("ld.param.u64 %p{place}, [p{place}];\n")).collect();
    let (list, loads) = (list.join(", "), loads.concat());
    format!("{head}.visible .entry kernel({list})\n{{\n.reg .u64 %p<{parameters}>;\n{loads}{body}\nret;\n}}\n")
}

/// Registers of a fragment.
#[derive(Debug, Clone, Copy)]
pub struct Registers {
    pub name: &'static str,
    pub kind: &'static str,
    pub count: usize,
}

impl Registers {
    pub fn bytes(&self) -> usize {
        if self.kind == "f64" { 8 } else { 4 }
    }

    fn each(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.count).map(|number| format!("%{}{number}", self.name))
    }

    pub fn vector(&self) -> String {
        format!("{{{}}}", self.each().collect::<Vec<_>>().join(", "))
    }

    pub fn declaration(&self) -> String {
        format!(".reg .{} %{}<{}>;\n", self.kind, self.name, self.count)
    }

    /// Loads or stores all of them: every thread has its own, one after another, in the buffer of a parameter.
    fn transfer(&self, place: usize, loads: bool) -> String {
        let stride = self.count * self.bytes();
        let bits = 8 * self.bytes();
        let mut text = format!("mad.wide.u32 %at, %thread, {stride}, %p{place};\n");
        for (number, register) in self.each().enumerate() {
            let address = format!("[%at+{}]", number * self.bytes());
            text += &match loads {
                true => format!("ld.global.b{bits} {register}, {address};\n"),
                false => format!("st.global.b{bits} {address}, {register};\n"),
            };
        }
        text
    }

    pub fn load(&self, place: usize) -> String {
        self.transfer(place, true)
    }

    pub fn store(&self, place: usize) -> String {
        self.transfer(place, false)
    }
}

/// The number of a thread in the whole grid, in %thread.
pub const THREAD: &str = ".reg .u64 %at;\n.reg .u32 %thread, %cta, %size;\nmov.u32 %cta, %ctaid.x;\nmov.u32 %size, %ntid.x;\n\
     mov.u32 %thread, %tid.x;\nmad.lo.u32 %thread, %cta, %size, %thread;\n";

/// Bits that an element takes in a register, and how far up in them it stands.
fn container(format: &str) -> (u32, u32) {
    match format {
        "binary64" => (64, 0),
        "tf32" | "binary32" | "int32" => (32, 0),
        "binary16" | "bfloat16" => (16, 0),
        "int4" | "uint4" => (4, 0),
        "e2m1" => (8, 2),
        _ => (8, 0),
    }
}

/// Registers that hold a layout's values in a format.
pub fn registers(name: &'static str, format: &str, values: usize) -> Registers {
    let kind = match format {
        "binary64" => "f64",
        "binary32" => "f32",
        "int32" => "s32",
        _ => "b32",
    };
    let width = if kind == "f64" { 64 } else { 32 };
    Registers { name, kind, count: (values as u32 * container(format).0).div_ceil(width) as usize }
}

/// The registers of every thread, as bytes: `element` says the value of (row, column). `threads` are the lanes that hold it.
pub fn scatter(layout: Layout, format: &str, rows: usize, element: impl Fn(usize, usize) -> i64) -> Vec<Vec<u8>> {
    let (width, above) = container(format);
    let of_thread = |thread: usize| {
        let mut bytes = vec![0_u8; (layout.value_count() as u32 * width).div_ceil(8) as usize];
        for value in 0..layout.value_count() {
            let (row, column) = layout.place(rows, thread, value);
            let bits = encode(format, element(row, column)) << above;
            let first = value as u32 * width;
            for bit in (0..width).filter(|bit| bits >> bit & 1 == 1) {
                bytes[((first + bit) / 8) as usize] |= 1 << ((first + bit) % 8);
            }
        }
        bytes
    };
    (0..layout.thread_count()).map(of_thread).collect()
}

/// The encoding of a value in the bytes of a thread's registers.
pub fn gather(bytes: &[u8], format: &str, value: usize) -> u64 {
    let size = (container(format).0 / 8) as usize;
    bytes[value * size..][..size].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}
