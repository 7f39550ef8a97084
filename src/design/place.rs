//! Places in ports: `op`, `op[3]`, `op[2][15:0]`, and the pieces of a port that they stand for.

use super::ports::{Port, Range};

/// A part of one of a port's vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Port in the list of all.
    pub port: usize,
    /// Indices and a range behind the port's name.
    pub select: String,
    /// Where its bits are among those of the port, counted in order of indices.
    pub first: usize,
    pub bits: usize,
}

/// The pieces of a place, lowest index first.
///
/// # Errors
/// What is wrong with the place, and what is allowed.
pub fn pieces(place: &str, ports: &[Port]) -> Result<Vec<Piece>, (String, String)> {
    let name = place.split('[').next().unwrap_or_default().trim();
    let Some(index) = ports.iter().position(|port| port.name == name) else {
        let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
        return Err((
            format!("{place:?}, and the design has no port of that name"),
            format!("a port of {}", names.join(", ")),
        ));
    };
    let port = &ports[index];
    let refuse = || {
        let allowed =
            format!("indices and a range at the end that lie in `{} {}` ({})", port.shape(), port.name, port.place);
        (format!("{place:?}"), allowed)
    };
    let selects = selects(&place[name.len()..]).ok_or_else(refuse)?;
    let dimensions = port.dimensions();
    // What lies within a range is whole.
    let range_inside = selects.iter().rev().skip(1).any(|select| select.size() > 1);
    if selects.len() > dimensions.len() + 1 || range_inside {
        return Err(refuse());
    }
    let chosen = |place: usize, whole: Range| match selects.get(place) {
        None => Ok(whole),
        Some(chosen) if within(*chosen, whole) => Ok(*chosen),
        Some(_) => Err(refuse()),
    };
    let mut found = vec![Piece { port: index, select: String::new(), first: 0, bits: 0 }];
    for (place, &dimension) in dimensions.iter().enumerate() {
        let chosen = chosen(place, dimension)?;
        let inner = |outer: &Piece, index: i64| Piece {
            select: format!("{}[{index}]", outer.select),
            first: outer.first * dimension.size() + (index - dimension.low()) as usize,
            ..outer.clone()
        };
        let all = |outer: &Piece| (chosen.low()..=chosen.high()).map(|index| inner(outer, index)).collect::<Vec<_>>();
        found = found.iter().flat_map(all).collect();
    }
    let whole = port.vector;
    let chosen = chosen(dimensions.len(), whole)?;
    for piece in &mut found {
        if chosen != whole {
            // Verilog wants the order of the declaration.
            let (low, high) = (chosen.low(), chosen.high());
            let (left, right) = if whole.left < whole.right { (low, high) } else { (high, low) };
            piece.select += &format!("[{left}:{right}]");
        }
        piece.first = piece.first * whole.size() + (chosen.low() - whole.low()) as usize;
        piece.bits = chosen.size();
    }
    Ok(found)
}

fn within(chosen: Range, range: Range) -> bool {
    chosen.low() >= range.low() && chosen.high() <= range.high()
}

/// What stands in brackets: an index as a range of one.
fn selects(text: &str) -> Option<Vec<Range>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(Vec::new());
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let select = |part: &str| {
        let (left, right) = part.split_once(':').unwrap_or((part, part));
        Some(Range { left: left.trim().parse().ok()?, right: right.trim().parse().ok()? })
    };
    inner.split("][").map(select).collect()
}

#[cfg(test)]
mod tests {
    use super::super::ports::Direction;
    use super::*;

    fn port(unpacked: &[[i64; 2]], packed: &[[i64; 2]], vector: [i64; 2]) -> Port {
        let ranges =
            |ranges: &[[i64; 2]]| ranges.iter().map(|[left, right]| Range { left: *left, right: *right }).collect();
        let [left, right] = vector;
        Port {
            name: "op".to_owned(),
            direction: Direction::Input,
            place: "dot.sv:3".to_owned(),
            unpacked: ranges(unpacked),
            packed: ranges(packed),
            vector: Range { left, right },
        }
    }

    /// Selection, first bit and number of bits of each piece.
    type Pieces = Vec<(String, usize, usize)>;

    fn found(place: &str, port: &Port) -> Result<Pieces, (String, String)> {
        let pieces = pieces(place, std::slice::from_ref(port))?;
        Ok(pieces.into_iter().map(|piece| (piece.select, piece.first, piece.bits)).collect())
    }

    #[test]
    fn places_and_their_bits() {
        let one = |select: &str, first, bits| vec![(select.to_owned(), first, bits)];
        let flat = port(&[], &[], [63, 0]);
        assert_eq!(found("op", &flat), Ok(one("", 0, 64)));
        assert_eq!(found("op[31:16]", &flat), Ok(one("[31:16]", 16, 16)));
        let reversed = port(&[], &[], [0, 15]);
        assert_eq!(found("op[4:7]", &reversed), Ok(one("[4:7]", 4, 4)));
        let array = port(&[[0, 2]], &[], [7, 0]);
        let all: Vec<_> = (0..3).map(|i| (format!("[{i}]"), 8 * i, 8)).collect();
        assert_eq!(found("op", &array), Ok(all.clone()));
        assert_eq!(found("op[1:2]", &array), Ok(all[1..].to_vec()));
        assert_eq!(found("op[1][3:0]", &array), Ok(one("[1][3:0]", 8, 4)));
        let downwards = port(&[[3, 2]], &[[0, 1]], [7, 0]);
        let expected = [("[2][0]", 0), ("[2][1]", 8), ("[3][0]", 16), ("[3][1]", 24)];
        assert_eq!(found("op", &downwards), Ok(expected.map(|(select, first)| (select.to_owned(), first, 8)).to_vec()));
    }

    #[test]
    fn places_outside_are_refused() {
        let array = port(&[[0, 2]], &[], [7, 0]);
        for place in ["op[3]", "op[0][8:0]", "op[0][1][2]", "op[", "op[x]", "op]", "other", "op[0][3:0][0]", ""] {
            let (value, allowed) = found(place, &array).expect_err(place);
            assert!(value.contains(place) && !allowed.is_empty(), "{value} {allowed}");
        }
    }
}
