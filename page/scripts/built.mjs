// Checks that the committed page is what the sources build.

import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const committed = fileURLToPath(new URL("../../crates/serve/page/", import.meta.url));
const built = mkdtempSync(join(tmpdir(), "shall-built-"));
await build({ root: fileURLToPath(new URL("..", import.meta.url)), build: { outDir: built, emptyOutDir: true }, logLevel: "warn" });
const names = new Set([...readdirSync(built), ...readdirSync(committed)]);
const read = (folder, name) => {
  try {
    return readFileSync(join(folder, name));
  } catch {
    return null;
  }
};
const different = [...names].filter((name) => !(read(built, name) && read(committed, name)?.equals(read(built, name))));
rmSync(built, { recursive: true });
if (different.length) {
  console.error(`crates/serve/page is not what page/ builds: ${different.join(", ")}; run \`npm run build\` in page/`);
  process.exitCode = 1;
}
