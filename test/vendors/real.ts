// The vendors' real programs as minds, against a loopback server on the vendor's wire. Each has a dummy key, a fresh
// folder for temporary files, where nothing may be left, and no other way out than that server.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { claudeModel } from '../../src/models/cli/claude.ts'
import type { CliOptions } from '../../src/models/cli/cli-model.ts'
import { codexModel } from '../../src/models/cli/codex.ts'
import { geminiModel } from '../../src/models/cli/gemini.ts'
import type { Model } from '../../src/models/model.ts'
import { type Act, PLANTED_SECRET } from '../contracts/scenarios.ts'
import { anthropicWire } from '../fakes/anthropic.ts'
import type { Vendor } from '../fakes/cli/stub.ts'
import { googleWire } from '../fakes/google.ts'
import { openaiWire } from '../fakes/openai.ts'
import { type FakeServer, play, type Seen, type VendorWire } from '../fakes/scripted-server.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** A vendor's own program may send what is not documented; what it hands on from us is held to the documentation. */
const lenient = (wire: VendorWire): VendorWire => ({
  ...wire,
  refuses(request) {
    const refused = wire.refuses?.(request) ?? null
    const undocumented = /Extra inputs are not permitted|Unknown parameter/
    return refused !== null && undocumented.test(JSON.stringify(refused.body)) ? null : refused
  },
})

const vendors: Record<
  Vendor,
  { make: (options: CliOptions) => Model; wire: VendorWire; base: string; model: string }
> = {
  claude: { make: claudeModel, wire: anthropicWire, base: '', model: 'claude-sonnet-4-5' },
  codex: { make: codexModel, wire: openaiWire, base: '/v1', model: 'gpt-6-sol' },
  gemini: { make: geminiModel, wire: googleWire, base: '', model: 'gemini-2.5-flash' },
}

export interface Real {
  readonly mind: Model
  readonly server: FakeServer
  /** What was asked of the model. */
  asked(): readonly Seen[]
  leftovers(): Promise<readonly string[]>
  dispose(): Promise<void>
}

/** Processes that were given a temporary folder in ours. Linux alone tells. */
function processesIn(folder: string): readonly string[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${folder}/`)
      } catch {
        // Gone, or someone else's.
        return false
      }
    })
    .map((pid) => `the process ${pid}`)
}

/** A program that `npm run test:vendors` has installed. */
export const cached = (folder: string, program: string): string =>
  join(root, '.vendor-cache', folder, 'node_modules/.bin', program)

export const programOf = (vendor: Vendor): string => cached(vendor, vendor)

export async function openReal(
  vendor: Vendor,
  script: readonly Act[],
  options: Partial<CliOptions> = {},
): Promise<Real> {
  const { make, wire, base, model } = vendors[vendor]
  const before = process.env.TMPDIR
  const folder = await mkdtemp(join(tmpdir(), 'witan-vendor-'))
  process.env.TMPDIR = folder
  const keyed = options.apiKey === undefined
  const server = await play(lenient(keyed ? wire : { ...wire, keyIn: () => undefined }), script)
  const mind = make({
    name: vendor,
    model,
    program: script[0]?.act === 'absent' ? `${programOf(vendor)}-absent` : programOf(vendor),
    baseUrl: `${server.url}${base}`,
    apiKey: async () => PLANTED_SECRET,
    ...options,
  })
  const left = () => [...processesIn(folder), ...readdirSync(folder).map((name) => `the file ${name}`)]
  return {
    mind,
    server,
    asked: () => server.requests.filter(({ method, path }) => method === 'POST' && wire.path.test(path)),
    async leftovers() {
      for (let tries = 0; tries < 50 && left().length > 0; tries++) await pause(10)
      return [...left(), ...(await server.leftovers())]
    },
    async dispose() {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
      await server.close().catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
