//! Any bytes as a ReqIF document or archive: an update without changes keeps every byte, and one with a change can be read.

#![no_main]

use exchange::{Change, Limits, Profile, reqif};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { total: 1 << 20, entry: 1 << 20, ..Limits::default() };
    let profile = Profile::default();
    let Ok(records) = reqif::read(bytes, &profile, limits) else { return };
    assert_eq!(reqif::update(bytes, &profile, &[], limits).expect("nothing to do"), bytes);
    let Some(record) = records.records.first() else { return };
    let fields = records.columns.iter().map(|column| (column.clone(), Some("new".to_string()))).collect();
    let change = Change::Set { id: record.id.clone(), fields };
    if let Ok(updated) = reqif::update(bytes, &profile, &[change], limits) {
        reqif::read(&updated, &profile, limits).expect("what we write we can read");
    }
});
