//! Pixels as a PNG file (ISO/IEC 15948): one header, one compressed block of rows, one end.

/// How hard to compress, from 1 to 10.
const LEVEL: u8 = 6;

/// The file of a picture without transparency; the pixels come row by row.
pub(super) fn encode(width: u32, height: u32, pixels: impl Iterator<Item = [u8; 3]>) -> Vec<u8> {
    let mut rows: Vec<u8> = Vec::new();
    for (k, pixel) in pixels.enumerate() {
        if k.is_multiple_of(width as usize) {
            // Each row starts with its filter: none.
            rows.push(0);
        }
        rows.extend(pixel);
    }
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    // Eight bits a channel, red green blue, and the only methods there are.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(&rows, LEVEL));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    file.extend(length.to_be_bytes());
    let checked = file.len();
    file.extend(kind);
    file.extend(content);
    let sum = checksum(&file[checked..]);
    file.extend(sum.to_be_bytes());
}

/// CRC-32 as in annex D of the standard.
fn checksum(bytes: &[u8]) -> u32 {
    let table: [u32; 256] = std::array::from_fn(|n| {
        let shift = |c: u32, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 };
        (0..8).fold(n as u32, shift)
    });
    !bytes.iter().fold(u32::MAX, |sum, byte| table[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ (sum >> 8))
}

/// The size and the pixels of a file made here.
#[cfg(test)]
pub(super) fn decode(file: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
    let (width, height) = (number(16), number(20));
    let data = &file[41..41 + number(33)];
    let rows = miniz_oxide::inflate::decompress_to_vec_zlib(data).expect("compressed rows");
    let pixels = rows.chunks(1 + 3 * width).flat_map(|row| row[1..].chunks(3));
    (width, height, pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file() {
        // The check value of CRC-32, and the sum of an empty end as every PNG file has it.
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        let pixels = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [1, 2, 3], [4, 5, 6], [7, 8, 9]];
        let file = encode(3, 2, pixels.into_iter());
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&file[12..29], b"IHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0");
        assert_eq!(&file[file.len() - 12..], b"\0\0\0\0IEND\xae\x42\x60\x82");
        assert_eq!(decode(&file), (3, 2, pixels.to_vec()));
    }
}
