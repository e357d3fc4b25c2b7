//! The package of an extension: a zip archive with its files below `extension/`, a manifest made from package.json, and a list of
//! content types (Open Packaging Conventions).
//!
//! Same files, same bytes: entries are sorted and all have the same date.

use crate::failure::{OrFail, Result, problem};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The paths of these files in the extension; the manifest names them.
pub(super) const PACKAGE: &str = "package.json";
pub(super) const README: &str = "readme.md";
pub(super) const LICENSE: &str = "LICENSE.txt";

/// The archive of these files, by their paths in the extension.
pub(super) fn pack(package: &Value, files: BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>> {
    let mut entries: BTreeMap<String, Vec<u8>> =
        files.into_iter().map(|(path, bytes)| (format!("extension/{path}"), bytes)).collect();
    entries.insert("extension.vsixmanifest".into(), manifest(package)?.into_bytes());
    let types = content_types(entries.keys().map(String::as_str))?;
    entries.insert("[Content_Types].xml".into(), types.into_bytes());

    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in entries {
        archive.start_file(path, options).or_fail()?;
        archive.write_all(&bytes).or_fail()?;
    }
    Ok(archive.finish().or_fail()?.into_inner())
}

/// The texts in an array; none if it is not an array.
pub(super) fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn content_types<'a>(paths: impl Iterator<Item = &'a str>) -> Result<String> {
    let endings: BTreeSet<&str> = paths.map(|path| path.rsplit('.').next().unwrap_or(path)).collect();
    let mut types = String::new();
    for ending in endings {
        let content = match ending {
            "js" => "application/javascript",
            "json" => "application/json",
            "md" => "text/markdown",
            "png" => "image/png",
            "txt" => "text/plain",
            "vsixmanifest" => "text/xml",
            _ => return problem(format!("no content type is known for files that end with `.{ending}`")),
        };
        let _ = write!(types, r#"<Default Extension=".{ending}" ContentType="{content}"/>"#);
    }
    Ok(format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{types}</Types>
"#
    ))
}

fn manifest(package: &Value) -> Result<String> {
    let found = |value: &Value, key: &str| {
        value.as_str().map(escaped).ok_or_else(|| format!("package.json: `{key}` is missing")).or_fail()
    };
    let text = |key: &str| found(&package[key], key);
    let mut properties = String::new();
    for (name, value) in [
        ("Code.Engine", found(&package["engines"]["vscode"], "engines.vscode")?),
        ("Code.ExtensionDependencies", String::new()),
        ("Code.ExtensionPack", String::new()),
        ("Code.ExtensionKind", "workspace".into()),
        ("Code.LocalizedLanguages", String::new()),
        ("Code.EnabledApiProposals", String::new()),
        ("Code.ExecutesCode", "true".into()),
        ("Services.GitHubFlavoredMarkdown", "true".into()),
        ("Services.Content.Pricing", "Free".into()),
    ] {
        let _ =
            writeln!(properties, r#"      <Property Id="Microsoft.VisualStudio.{name}" Value="{value}"/>"#);
    }
    let icon = text("icon")?;
    let mut assets = String::new();
    for (name, path) in [
        ("Code.Manifest", PACKAGE),
        ("Services.Content.Details", README),
        ("Services.Content.License", LICENSE),
        ("Services.Icons.Default", &icon),
    ] {
        let _ = writeln!(
            assets,
            r#"    <Asset Type="Microsoft.VisualStudio.{name}" Path="extension/{path}" Addressable="true"/>"#
        );
    }
    Ok(format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{display}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
{properties}    </Properties>
    <License>extension/{LICENSE}</License>
    <Icon>extension/{icon}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
{assets}  </Assets>
</PackageManifest>
"#,
        name = text("name")?,
        version = text("version")?,
        publisher = text("publisher")?,
        display = text("displayName")?,
        description = text("description")?,
        tags = escaped(&tags(package).join(",")),
        categories = escaped(&texts(&package["categories"]).collect::<Vec<_>>().join(",")),
    ))
}

/// What a search finds the extension by: its keywords, languages and file extensions.
fn tags(package: &Value) -> Vec<String> {
    let mut tags: Vec<String> = texts(&package["keywords"]).map(String::from).collect();
    if package["contributes"]["snippets"].is_array() {
        tags.push("snippet".into());
    }
    for language in package["contributes"]["languages"].as_array().into_iter().flatten() {
        tags.extend(language["id"].as_str().map(String::from));
        tags.extend(texts(&language["aliases"]).map(String::from));
        tags.extend(
            texts(&language["extensions"]).map(|dotted| format!("__ext_{}", &dotted.replace('.', ""))),
        );
    }
    let mut seen = BTreeSet::new();
    tags.retain(|tag| seen.insert(tag.clone()));
    tags
}

fn escaped(text: &str) -> String {
    base::xml::escape(text.chars(), &['"'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors/vscode");

    fn package() -> Value {
        let text = std::fs::read_to_string(format!("{FOLDER}/package.json")).expect("package.json is there");
        serde_json::from_str(&text).expect("package.json is JSON")
    }

    #[test]
    fn archive_is_complete_and_always_the_same() {
        let files = || {
            BTreeMap::from([
                (README.to_string(), b"# shall\n".to_vec()),
                (PACKAGE.to_string(), b"{}".to_vec()),
                ("dist/extension.js".to_string(), vec![b'x'; 10_000]),
            ])
        };
        let bytes = pack(&package(), files()).unwrap();
        assert_eq!(bytes, pack(&package(), files()).unwrap());
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        let expected = [
            "[Content_Types].xml",
            "extension.vsixmanifest",
            "extension/dist/extension.js",
            "extension/package.json",
            "extension/readme.md",
        ];
        assert_eq!(names, expected);
        let mut text = String::new();
        archive.by_name("extension.vsixmanifest").unwrap().read_to_string(&mut text).unwrap();
        let identity = r#"<Identity Language="en-US" Id="shall" Version="0.1.0" Publisher="shall"/>"#
            .replace("0.1.0", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&identity), "the extension has the version of the workspace: {text}");
        assert!(text.contains("__ext_fretish"));
    }

    #[test]
    fn wrong_packages_are_refused() {
        let file = |name: &str| BTreeMap::from([(name.to_string(), Vec::new())]);
        assert!(pack(&package(), file("a.exe")).unwrap_err().to_string().contains("`.exe`"));
        assert!(pack(&Value::Null, file("a.js")).unwrap_err().to_string().contains("engines"));
        let mut named = package();
        named["displayName"] = "a < b & \"c\"".into();
        assert!(
            manifest(&named).unwrap().contains("<DisplayName>a &lt; b &amp; &quot;c&quot;</DisplayName>")
        );
    }

    #[test]
    fn files_that_are_named_are_there() {
        let package = package();
        let contributed = &package["contributes"];
        let paths = ["languages", "grammars", "snippets"]
            .iter()
            .flat_map(|kind| contributed[*kind].as_array().into_iter().flatten())
            .flat_map(|item| [&item["path"], &item["configuration"]])
            .chain([&package["icon"]])
            .filter_map(Value::as_str);
        for path in paths {
            let file = std::path::Path::new(FOLDER).join(path);
            assert!(file.is_file(), "{path}");
            let top = path.trim_start_matches("./").split('/').next().unwrap_or_default();
            assert!(texts(&package["files"]).any(|packed| packed == top), "{path} is not packed");
        }
    }

    #[test]
    fn lock_file_names_no_registry() {
        let lock =
            std::fs::read_to_string(format!("{FOLDER}/package-lock.json")).expect("the lock file is there");
        assert!(!lock.contains("\"resolved\"") && !lock.contains("://"));
    }
}
