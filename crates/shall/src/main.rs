//! shall
fn main() {}
