// `npm run check:package`: what would be published, as strangers would use it. Packs the built package once and has
// publint and attw look at it; every entry point must resolve, with types, for ESM consumers.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'witan-pack-'))
const run = (program, ...args) => spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status ?? 1
const bin = (name) => join(root, 'node_modules/.bin', name)

try {
  let code = run('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder)
  const [file] = readdirSync(folder)
  if (code === 0 && file) {
    const packed = join(folder, file)
    // The package is ESM only, so what `require` and old resolution make of it is not looked at.
    code = run(bin('publint'), '--strict', packed)
    code ||= run(bin('attw'), packed, '--profile', 'esm-only', '--format', 'table-flipped')
  }
  process.exitCode = code
} finally {
  rmSync(folder, { recursive: true, force: true })
}
