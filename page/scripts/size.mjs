// Prints the sizes of the built page, and fails if its script exceeds the limit.

import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT = 400_000;
const folder = new URL("../../crates/serve/page/", import.meta.url);
for (const name of readdirSync(folder)) {
  const bytes = gzipSync(readFileSync(new URL(name, folder))).length;
  console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB gzipped`);
  if (name === "app.js" && bytes > LIMIT) {
    console.error(`app.js exceeds ${LIMIT / 1000} kB gzipped`);
    process.exitCode = 1;
  }
}
