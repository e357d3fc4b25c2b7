// Bundles the client into dist/extension.js, and collects the licences of what is bundled into dist/licenses.txt.

import { build } from 'esbuild'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { metafile } = await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node18',
  external: ['vscode'],
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})

const package_of = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/
const bundled = new Set(Object.keys(metafile.inputs).flatMap(path => path.match(package_of) ?? []))
const notices = [...bundled].sort().map(folder => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).sort().find(file => /^licen[cs]e/i.test(file))
  if (!file) throw new Error(`${folder} has no licence file: it must not be shipped without one`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
})
writeFileSync('dist/licenses.txt', notices.join(`\n${'-'.repeat(80)}\n\n`))
