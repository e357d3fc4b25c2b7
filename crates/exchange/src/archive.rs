//! Zip archives with care: limits hold while inflating, and names that lead out of a folder, names that are there
//! twice, entries that overlap or are encrypted are refused. Entries that no one replaces keep their bytes.

use crate::{Limits, Trouble};
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Below this size no ratio is measured.
const SMALL: u64 = 1 << 20;

/// An archive that was opened.
pub struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    names: Vec<String>,
    limits: Limits,
    inflated: u64,
}

/// Whether the bytes begin like an archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Opens an archive and checks all that its directory tells.
pub fn open(bytes: &[u8], limits: Limits) -> Result<Archive<'_>, Trouble> {
    if bytes.len() as u64 > limits.total {
        return Err(
            Trouble::new("the file is too large").hint(format!("the limit is {} bytes", limits.total))
        );
    }
    let broken = |error| Trouble::new(format!("the archive is broken: {error}"));
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if zip.len() > limits.entries {
        return Err(Trouble::new(format!("the archive has {} entries", zip.len()))
            .hint(format!("the limit is {}", limits.entries)));
    }
    if zip.has_duplicate_names() {
        return Err(Trouble::new("the archive has two entries with one name"));
    }
    let mut names = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        if entry.encrypted() {
            return Err(Trouble::new("the entry is encrypted").part(&name));
        }
        if leads_out(&name) {
            return Err(Trouble::new("the name of the entry leads out of its folder").part(&name));
        }
        if entry.size() > limits.entry {
            return Err(too_large(&name, limits));
        }
        names.push(name);
    }
    let mut sorted: Vec<String> = names.iter().map(|name| name.replace('\\', "/")).collect();
    sorted.sort();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Trouble::new("the archive has two entries with one name"));
    }
    if zip.has_overlapping_entries().map_err(broken)? {
        return Err(Trouble::new("entries of the archive overlap"));
    }
    Ok(Archive { zip, names, limits, inflated: 0 })
}

impl Archive<'_> {
    /// The names of the entries, in the order of the archive.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The bytes of an entry.
    pub fn read(&mut self, name: &str) -> Result<Vec<u8>, Trouble> {
        let Some(index) = self.names.iter().position(|other| other == name) else {
            return Err(Trouble::new("the archive lacks an entry").part(name));
        };
        let broken = |why: String| Trouble::new(format!("the entry cannot be read: {why}")).part(name);
        let entry = self.zip.by_index(index).map_err(|error| broken(error.to_string()))?;
        let squeezed = entry.compressed_size().max(1);
        let by_ratio = squeezed.saturating_mul(self.limits.ratio).max(SMALL);
        let left = self.limits.total.saturating_sub(self.inflated);
        let most = self.limits.entry.min(by_ratio).min(left);
        let mut bytes = Vec::new();
        let mut taken = entry.take(most.saturating_add(1));
        taken.read_to_end(&mut bytes).map_err(|error| broken(error.to_string()))?;
        let length = bytes.len() as u64;
        if length > most {
            return Err(if most == by_ratio {
                Trouble::new(format!(
                    "the entry is more than {} times as large as it looks",
                    self.limits.ratio
                ))
                .part(name)
                .hint("this is how archives are made that fill a disk")
            } else {
                too_large(name, self.limits)
            });
        }
        self.inflated += length;
        Ok(bytes)
    }

    /// The archive with other bytes for some entries; all other entries are copied as they are.
    pub(crate) fn replace(&mut self, changed: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Trouble> {
        let broken = |error| Trouble::new(format!("the archive cannot be written: {error}"));
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for index in 0..self.zip.len() {
            let entry = self.zip.by_index_raw(index).map_err(broken)?;
            let name = &self.names[index];
            match changed.iter().find(|(other, _)| other == name) {
                None => writer.raw_copy_file(entry).map_err(broken)?,
                Some((_, bytes)) => {
                    let mut options = options().compression_method(entry.compression());
                    if let Some(time) = entry.last_modified() {
                        options = options.last_modified_time(time);
                    }
                    drop(entry);
                    add(&mut writer, name, bytes, options)?;
                }
            }
        }
        let comment = self.zip.comment().into();
        writer.set_raw_comment(comment).map_err(broken)?;
        Ok(writer.finish().map_err(broken)?.into_inner())
    }
}

/// A new archive. It has no times: the same entries give the same bytes.
pub fn create(entries: &[(&str, String)]) -> Result<Vec<u8>, Trouble> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        add(&mut writer, name, text.as_bytes(), options())?;
    }
    let broken = |error| Trouble::new(format!("the archive cannot be written: {error}"));
    Ok(writer.finish().map_err(broken)?.into_inner())
}

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

fn add(
    writer: &mut ZipWriter<Cursor<Vec<u8>>>,
    name: &str,
    bytes: &[u8],
    options: SimpleFileOptions,
) -> Result<(), Trouble> {
    let broken = |why: String| Trouble::new(format!("the entry cannot be written: {why}")).part(name);
    writer.start_file(name, options).map_err(|error| broken(error.to_string()))?;
    writer.write_all(bytes).map_err(|error| broken(error.to_string()))
}

fn too_large(name: &str, limits: Limits) -> Trouble {
    let most = limits.entry.min(limits.total);
    Trouble::new("the entry is too large").part(name).hint(format!("the limit is {most} bytes"))
}

/// Absolute names, names with a drive, and names with `..`.
fn leads_out(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    name.is_empty()
        || drive
        || name.starts_with(['/', '\\'])
        || name.contains('\0')
        || name.split(['/', '\\']).any(|step| step == "..")
}
