// Makes the frozen data: bundles of scripted traces and one whole home. Run by hand and rarely; README.md beside it
// says how. What is made here was made by one build and is never made again to please a later one.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { it } from 'vitest'
import { artifactsIn, extract } from '../../src/clerk/extract.ts'
import { writeBundle } from '../../src/stores/bundle-file.ts'
import { loadSqlite } from '../../src/stores/sqlite/driver.ts'
import { here } from '../doors/here.ts'
import { type FrozenBundle, reportOn } from '../support/frozen.ts'
import { projectRoot } from '../support/sources.ts'
import { type Made, makeCouncils } from './making/councils.ts'
import { makeExchanges } from './making/exchanges.ts'
import { configText, type MadeHome, makeHome } from './making/home.ts'
import { makeSessions } from './making/sessions.ts'

const OUT = process.env.FROZEN_OUT ?? import.meta.dirname
const NOWHERE = 'http://127.0.0.1:9'
/** Stands for the folder in which the home was made. */
const PLACE = '/witan-frozen'

const hexOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const bundles: Record<string, FrozenBundle> = {}

async function keep(name: string, bytes: Buffer, keys: readonly string[]): Promise<void> {
  await mkdir(join(OUT, 'bundles'), { recursive: true })
  await writeFile(join(OUT, 'bundles', `${name}.witan.gz`), gzipSync(bytes, { level: 9 }))
  const { report, digest } = await reportOn(bytes, keys)
  bundles[name] = { sha256: hexOf(bytes), keys, status: report.status, report: digest }
}

async function keepScripted({ scene, traces }: Made): Promise<void> {
  for (const [name, trace] of traces) {
    const bundle = await extract(scene.kit, trace)
    const chunks: Uint8Array[] = []
    for await (const chunk of writeBundle(bundle, artifactsIn(bundle), scene.store)) chunks.push(chunk)
    await keep(name, Buffer.concat(chunks), scene.trust.keys)
  }
}

async function keepExports({ directory, cwd, traces }: MadeHome): Promise<void> {
  const where = { home: directory, cwd }
  const folder = await mkdtemp(join(tmpdir(), 'witan-frozen-'))
  const file = join(folder, 'file.witan')
  const pin = await readFile(join(directory, 'registry.vkey'), 'utf8')
  const { json } = await here(where, 'keys', 'list', '--json')
  const keys = (json.keys as readonly { id: string; agent: string }[])
    .filter(({ agent }) => agent === 'registrar')
    .map(({ id }) => id)
  if (pin === '' || keys.length === 0) throw new Error('no registrar')
  const write = async (name: string, ...args: readonly string[]): Promise<void> => {
    const ran = await here(where, ...args, '-o', file, '--force', '--json')
    if (ran.code !== 0) throw new Error(`${name}: ${ran.stdout}`)
    await keep(`home-${name}`, await readFile(file), keys)
  }
  for (const [name, trace] of traces) await write(name, 'export', trace)
  const council = traces.get('council-reported') ?? ''
  await write('registry', 'export', 'registry')
  await write('without-content', 'export', council, '--without-content')
  await write('without-large-artifacts', 'export', council, '--artifact-limit', '1000')
  await write('proof-of-event', 'prove', council, '2')
  const note = join(folder, 'note')
  await here(
    where,
    'export',
    traces.get('agents-waiting') ?? '',
    '-o',
    file,
    '--force',
    '--checkpoint-out',
    note,
  )
  await write('proof-of-growth', 'prove', traces.get('agents-waiting') ?? '', '--since', note)
  await rm(folder, { recursive: true })
}

/** Nothing of the machine that made it stays: who was at work there, and where folders were. */
async function settle(directory: string, cwd: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(join(directory, 'witan.db'))
  database.exec('DELETE FROM attendance')
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  await writeFile(
    join(directory, 'config.yaml'),
    configText({ council: NOWHERE, minds: NOWHERE, pool: NOWHERE }),
  )
  const notes = await readdir(join(directory, 'sessions'))
  for (const file of ['consents.json', ...notes.map((name) => join('sessions', name))]) {
    const path = join(directory, file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(cwd, PLACE))
  }
}

async function packed(directory: string): Promise<Buffer> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true })
  const files: Record<string, string> = {}
  for (const entry of found.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if (!/-(wal|shm)$/.test(path))
      files[relative(directory, path)] = (await readFile(path)).toString('base64')
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
  return gzipSync(JSON.stringify(sorted), { level: 9 })
}

it('makes the frozen data', async () => {
  await rm(join(OUT, 'bundles'), { recursive: true, force: true })
  await keepScripted(await makeCouncils())
  await keepScripted(await makeSessions())
  await keepScripted(await makeExchanges())
  const home = await makeHome()
  await keepExports(home)
  await home.close()
  const folder = await mkdtemp(join(tmpdir(), 'witan-frozen-'))
  const copy = join(folder, 'home')
  await cp(home.directory, copy, { recursive: true })
  await settle(copy, home.cwd)
  const archive = await packed(copy)
  await writeFile(join(OUT, 'home.json.gz'), archive)
  await cp(join(home.cwd, 'work'), join(OUT, 'work'), { recursive: true })
  await rm(folder, { recursive: true })
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' }).trim()
  const manifest = { made_by: commit, home: hexOf(archive), traces: Object.fromEntries(home.traces), bundles }
  await writeFile(join(OUT, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
})
