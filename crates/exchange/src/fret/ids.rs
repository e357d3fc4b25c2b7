//! Keys for records that FRET has not seen: the same names give the same key, whenever and wherever it is made.

/// The key of a variable: the names of project, component and variable without anything between them, as FRET does it.
pub(super) fn variable(project: &str, component: &str, name: &str) -> String {
    [project, component, name].concat()
}

/// The key of a requirement: a UUID of version 8 (made of whatever its maker likes), here a hash of both names.
pub(super) fn requirement(project: &str, id: &str) -> String {
    // FNV-1a with 128 bits; a byte that no UTF-8 text contains separates the names.
    let bytes = project.bytes().chain([0xff]).chain(id.bytes());
    let hash = bytes.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    });
    let hash = hash & !(0xf << 76) & !(0x3 << 62) | 0x8 << 76 | 0x2 << 62;
    let hex = format!("{hash:032x}");
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        let key = requirement("P", "R-1");
        assert_eq!(key, requirement("P", "R-1"));
        assert_ne!(key, requirement("PR", "-1"));
        let lengths: Vec<usize> = key.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&key[14..15], "8");
        assert!("89ab".contains(&key[19..20]));
        assert_eq!(variable("P", "pump", "on"), "Ppumpon");
    }
}
