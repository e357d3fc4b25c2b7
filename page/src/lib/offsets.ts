// The server counts bytes of UTF-8, the page counts code units of UTF-16.

/** A function from byte offsets of a text to its code units. */
export function unitsOf(text: string): (byte: number) => number {
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => Math.min(byte, text.length);
  const starts: number[] = [];
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let each = 0; each < bytes; each += 1) starts.push(units);
    units += character.length;
  }
  return (byte) => starts[byte] ?? text.length;
}
