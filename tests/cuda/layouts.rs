//! Layouts of operands: every element has a place of its own.

use super::with_kernels;

#[test]
fn every_element_comes_back_from_its_place() {
    let mut fragments = 0;
    for (instruction, tile, _) in with_kernels() {
        for (fragment, width) in [
            (&tile.a, instruction.a.width()),
            (&tile.b, instruction.b.width()),
            (&tile.c, instruction.c.width()),
            (&tile.d, instruction.d().width()),
        ] {
            let size = fragment.size;
            let places = (0..size.blocks).flat_map(|block| {
                (0..size.rows).flat_map(move |row| (0..size.columns).map(move |column| [block, row, column]))
            });
            let mask = u64::MAX >> (64 - width);
            let element = |[block, row, column]: [usize; 3]| {
                let number = ((block * size.rows + row) * size.columns + column) as u64 + 1;
                number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7 & mask
            };
            let mut image = vec![0xff; fragment.bytes];
            places.clone().for_each(|place| fragment.put(&mut image, place, element(place)));
            for place in places {
                assert_eq!(fragment.get(&image, place), element(place), "{} at {place:?}", instruction.name);
            }
            fragments += 1;
        }
    }
    assert!(fragments > 400, "{fragments} fragments");
}
