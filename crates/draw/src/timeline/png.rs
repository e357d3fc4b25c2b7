//! The scene as pixels: a PNG file (ISO/IEC 15948) on white paper, with the fonts DejaVu Sans and DejaVu Sans Mono.
//!
//! The fonts are part of the program (their licence, that of Bitstream Vera, allows it), so that a picture looks the
//! same everywhere; bold letters are regular ones with an outline. A character that neither font has is drawn as the
//! font's own box. The file has one header, one compressed block of rows and one end.

use super::plan::Plan;
use super::scene::{Item, Look, Segment, Text};
use super::{Undrawable, page};
use crate::svg::measure::Face;
use crate::svg::style::Shade;
use crate::svg::{Anchor, Point, Rect};
use ::timeline::picture::Picture;
use logic::Store;
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};
use ttf_parser::{GlyphId, OutlineBuilder};

/// The largest number of pixels.
const MAX_PIXELS: u64 = 1 << 26;
/// The compression level, from 1 to 10.
const LEVEL: u8 = 6;

/// The picture as a PNG file; `scale` is the number of pixels per unit of the drawing, from 0.25 to 8.
pub fn png(store: &Store, picture: &Picture, title: &str, scale: f32) -> Result<Vec<u8>, Undrawable> {
    let plan = Plan::of(store, picture)?;
    let scene = page::scene(&plan, title);
    let scale = if scale.is_finite() { scale.clamp(0.25, 8.0) } else { 1.0 };
    let size = |length: i32| (f64::from(length.max(1)) * f64::from(scale)).ceil() as u64;
    let (width, height) = (size(scene.width), size(scene.height));
    let too_large = Undrawable::Pixels { limit: MAX_PIXELS };
    if width.saturating_mul(height) > MAX_PIXELS {
        return Err(too_large);
    }
    let dimension = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let pixmap = Pixmap::new(dimension(width), dimension(height)).ok_or(too_large)?;
    let mut raster = Raster { pixmap, transform: Transform::from_scale(scale, scale), fonts: Fonts::new() };
    scene.items.iter().for_each(|item| raster.item(item, (0, 0)));
    let pixels = raster.pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    Ok(encode(raster.pixmap.width(), raster.pixmap.height(), pixels))
}

struct Raster {
    pixmap: Pixmap,
    transform: Transform,
    fonts: Option<Fonts>,
}

impl Raster {
    fn item(&mut self, item: &Item, origin: Point) {
        match item {
            Item::Rect { look, rect, radius } => self.shape(*look, rounded(*rect, *radius, origin)),
            Item::Path { look, path } => self.shape(*look, trace(path, origin)),
            Item::Text(text) => self.text(text, origin),
            Item::Group(group) => {
                if let Some(origin) = group.on_paper(origin) {
                    group.items.iter().for_each(|item| self.item(item, origin));
                }
            }
        }
    }

    fn shape(&mut self, look: Look, path: Option<Path>) {
        let Some(path) = path else { return };
        let style = look.style();
        if let Some(shade) = style.fill {
            self.pixmap.fill_path(&path, &paint(shade), FillRule::Winding, self.transform, None);
        }
        if let Some(shade) = style.stroke {
            let dash = if style.dashed { StrokeDash::new(vec![4.0, 3.0], 0.0) } else { None };
            let stroke = Stroke { width: style.quarters as f32 / 4.0, dash, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(shade), &stroke, self.transform, None);
        }
    }

    fn text(&mut self, text: &Text, origin: Point) {
        let Some(fonts) = &self.fonts else { return };
        let (_, size, shade) = text.style.style();
        let glyphs: Vec<Glyph> = text
            .line
            .iter()
            .flat_map(|piece| piece.text.chars().map(|c| fonts.glyph(c, piece.face, size as f32)))
            .collect();
        let width: f32 = glyphs.iter().map(|glyph| glyph.advance).sum();
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (x, y) = ((origin.0 + text.at.0) as f32 - before, (origin.1 + text.at.1) as f32);
        let mut pen = Pen { path: PathBuilder::new(), x, y, scale: 1.0 };
        for glyph in glyphs {
            pen.scale = glyph.scale;
            let _ = glyph.font.outline_glyph(glyph.id, &mut pen);
            pen.x += glyph.advance;
        }
        if let Some(path) = pen.path.finish() {
            self.pixmap.fill_path(&path, &paint(shade), FillRule::Winding, self.transform, None);
            if text.line.iter().any(|piece| piece.face == Face::Strong) {
                let stroke = Stroke { width: size as f32 / 28.0, ..Stroke::default() };
                self.pixmap.stroke_path(&path, &paint(shade), &stroke, self.transform, None);
            }
        }
    }
}

/// The fonts of the faces.
struct Fonts {
    words: ttf_parser::Face<'static>,
    code: ttf_parser::Face<'static>,
}

/// A glyph of a font at a size.
struct Glyph<'a> {
    font: &'a ttf_parser::Face<'static>,
    id: GlyphId,
    scale: f32,
    advance: f32,
}

impl Fonts {
    fn new() -> Option<Fonts> {
        let parse = |bytes| ttf_parser::Face::parse(bytes, 0).ok();
        Some(Fonts { words: parse(dejavu::sans::regular())?, code: parse(dejavu::sans_mono::regular())? })
    }

    fn glyph(&self, c: char, face: Face, size: f32) -> Glyph<'_> {
        let (first, second) = match face {
            Face::Text | Face::Strong => (&self.words, &self.code),
            Face::Code => (&self.code, &self.words),
        };
        let found = |font: &'_ ttf_parser::Face<'static>| font.glyph_index(c);
        let (font, id) = match (found(first), found(second)) {
            (Some(id), _) => (first, id),
            (None, Some(id)) => (second, id),
            (None, None) => (first, GlyphId(0)),
        };
        let scale = size / f32::from(font.units_per_em());
        let advance = f32::from(font.glyph_hor_advance(id).unwrap_or(0)) * scale;
        Glyph { font, id, scale, advance }
    }
}

/// Draws outlines of letters, one after the other.
struct Pen {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

fn paint(shade: &Shade) -> Paint<'static> {
    let channel = |at: usize| shade.light.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    let mut paint = Paint::default();
    let [red, green, blue] = [1, 3, 5].map(|at| channel(at).unwrap_or(0));
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn trace(path: &[Segment], origin: Point) -> Option<Path> {
    let place = |(x, y): Point| ((x + origin.0) as f32, (y + origin.1) as f32);
    let mut builder = PathBuilder::new();
    for segment in path {
        match *segment {
            Segment::Move(to) => {
                let (x, y) = place(to);
                builder.move_to(x, y);
            }
            Segment::Line(to) => {
                let (x, y) = place(to);
                builder.line_to(x, y);
            }
            Segment::Curve(a, b, to) => {
                let [(x1, y1), (x2, y2), (x, y)] = [a, b, to].map(place);
                builder.cubic_to(x1, y1, x2, y2, x, y);
            }
        }
    }
    builder.finish()
}

/// A rectangle with quarter circles at its corners.
fn rounded(rect: Rect, radius: i32, origin: Point) -> Option<Path> {
    let (left, top) = ((rect.x + origin.0) as f32, (rect.y + origin.1) as f32);
    let (right, bottom) = (left + rect.width as f32, top + rect.height as f32);
    let r = (radius.min(rect.width / 2).min(rect.height / 2)) as f32;
    // How far the control points of a quarter circle are from its corner.
    let k = r * 0.448;
    let mut path = PathBuilder::new();
    path.move_to(left + r, top);
    path.line_to(right - r, top);
    path.cubic_to(right - k, top, right, top + k, right, top + r);
    path.line_to(right, bottom - r);
    path.cubic_to(right, bottom - k, right - k, bottom, right - r, bottom);
    path.line_to(left + r, bottom);
    path.cubic_to(left + k, bottom, left, bottom - k, left, bottom - r);
    path.line_to(left, top + r);
    path.cubic_to(left, top + k, left + k, top, left + r, top);
    path.close();
    path.finish()
}

/// The file of an opaque picture; the pixels come row by row.
fn encode(width: u32, height: u32, pixels: impl Iterator<Item = [u8; 3]>) -> Vec<u8> {
    let mut rows: Vec<u8> = Vec::new();
    for (k, pixel) in pixels.enumerate() {
        if k.is_multiple_of(width as usize) {
            // Each row starts with its filter, which is none.
            rows.push(0);
        }
        rows.extend(pixel);
    }
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    // Eight bits per channel, RGB, and the only methods that the standard defines.
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

#[cfg(test)]
mod tests {
    use super::super::testing::samples::{gallery, lanes};
    use super::*;

    #[test]
    fn the_fonts_have_every_symbol() {
        let fonts = Fonts::new().expect("the fonts are fonts");
        for c in ('!'..='~').chain("¬∧∨⊤⊥∞→↔⊕≤≥≠×·…↻".chars()) {
            for face in [Face::Text, Face::Strong, Face::Code] {
                assert_ne!(fonts.glyph(c, face, 13.0).id, GlyphId(0), "{c}");
            }
        }
    }

    #[test]
    fn every_picture_becomes_pixels() {
        let (store, pictures) = gallery();
        for (name, picture) in pictures {
            let bytes = png(&store, &picture, name, 1.0).expect("drawable");
            let (width, height, pixels) = decode(&bytes);
            assert_eq!(pixels.len(), width * height);
            assert!(pixels.iter().all(|pixel| *pixel != [0, 0, 0]), "{name}: paper everywhere");
            assert!(pixels.iter().any(|pixel| pixel[0] < 64), "{name}: ink somewhere");
            assert_eq!(png(&store, &picture, name, 1.0), Ok(bytes), "{name}: always the same");
        }
        for scale in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
            assert!(png(&store, &lanes([]), "never", scale).is_ok());
        }
    }

    /// The size and the pixels of a file made here.
    fn decode(file: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
        let number =
            |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
        let (width, height) = (number(16), number(20));
        let data = &file[41..41 + number(33)];
        let rows = miniz_oxide::inflate::decompress_to_vec_zlib(data).expect("compressed rows");
        let pixels = rows.chunks(1 + 3 * width).flat_map(|row| row[1..].chunks(3));
        (width, height, pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect())
    }

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
