// The home of an earlier build opens, goes on and is told, and its traces verify as it said: nothing that someone has
// at home stops working.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLog, resultOf } from '../src/app/council/council.ts'
import { withHome } from '../src/app/home/home.ts'
import { FORMATS, renderReport } from '../src/render/report/render.ts'
import type { Ran } from './doors/command.ts'
import { here } from './doors/here.ts'
import { type CouncilServer, playCouncil } from './fakes/council.ts'
import { configText } from './frozen/making/home.ts'
import { manifest, unpackHome } from './support/frozen.ts'
import { openPoolHome, type PoolHome } from './support/pool-home.ts'
import { projectRoot } from './support/sources.ts'
import { hasTerminal, Terminal } from './support/terminal.ts'

const { bundles, traces } = manifest()

describe('a frozen home', () => {
  let folder = ''
  let where = { home: '', cwd: '' }
  let pool: PoolHome
  let table: CouncilServer
  const witan = (...args: readonly string[]): Promise<Ran> => here(where, ...args)
  const named = (name: string): string => traces[name] ?? ''
  /** A session may take 60 minutes from its opening on, and only the time that a person takes is not counted. */
  const withinItsHour = async (trace: string, go: (trace: string) => Promise<Ran>): Promise<Ran> => {
    const { json } = await witan('show', trace, '--json')
    const last = (json.events as readonly { header: { at: string } }[]).at(-1)?.header.at ?? ''
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(last) + 60_000 })
    try {
      return await go(trace)
    } finally {
      vi.useRealTimers()
    }
  }
  /** As a person who is asked at a terminal and says yes. */
  const decided = async (...words: readonly string[]): Promise<number | null> => {
    const terminal = new Terminal(where, 'agents', ...words)
    await terminal.reads('[y/N]')
    terminal.type('y')
    return terminal.ended
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'witan-frozen-'))
    where = { home: await unpackHome(folder), cwd: folder }
    await cp(join(projectRoot, 'test/frozen/work'), join(folder, 'work'), { recursive: true })
    pool = await openPoolHome()
    table = await playCouncil({ a: {}, b: {}, c: {}, d: {}, mute: {}, slow: {} })
    const servers = { council: table.url, minds: table.url, pool: pool.server.url }
    await writeFile(join(where.home, 'config.yaml'), configText(servers), { mode: 0o600 })
  })
  afterAll(async () => {
    await table.close()
    await pool.server.close()
    process.chdir(projectRoot)
    await rm(folder, { recursive: true, force: true })
  })

  it('LED-16 opens, lists every trace, and each verifies as its export did', async () => {
    const { json } = await witan('list', '--json')
    const listed = (json.traces as readonly { trace: string }[]).map(({ trace }) => trace)
    expect(listed).toEqual(expect.arrayContaining(Object.values(traces)))
    for (const [name, trace] of Object.entries(traces)) {
      const verified = await witan('verify', trace, '--json')
      expect([name, verified.json.status]).toEqual([name, bundles[`home-${name}`]?.status])
    }
    expect((await witan('verify', 'registry', '--json')).json.status).toBe('pass')
  })

  it('APP-4 is told and drawn whole: story, an event of each kind, and a page of each trace', async () => {
    const kinds = new Set<string>()
    for (const [name, trace] of Object.entries(traces)) {
      const shown = await witan('show', trace)
      expect([name, shown.code]).toEqual([name, 0])
      const { json } = await witan('show', trace, '--json')
      for (const { seq, header } of json.events as readonly { seq: number; header: { type: string } }[]) {
        if (kinds.has(header.type)) continue
        kinds.add(header.type)
        expect([name, seq, (await witan('show', trace, String(seq))).code]).toEqual([name, seq, 0])
      }
      const page = join(folder, 'page.html')
      const written = await witan('export', trace, '--html', '-o', page, '--force', '--json')
      expect([name, written.code]).toEqual([name, 0])
      expect(await readFile(page, 'utf8')).toContain(trace)
    }
  })

  it('APP-4 renders the report of each council in every form, and draws each exchange', async () => {
    const councils = Object.entries(traces).filter(([name]) => name.startsWith('council-'))
    await withHome({ directory: where.home, mode: 'read' }, async (home) => {
      for (const [name, trace] of councils) {
        const { state } = await openLog(home, trace)
        for (const format of FORMATS)
          expect([name, renderReport(format, resultOf(state.inner))]).not.toEqual([name, ''])
      }
    })
    for (const [name, trace] of Object.entries(traces).filter(([one]) => one.startsWith('exchange-'))) {
      const status = await witan('exchange', 'status', trace, '--json')
      expect([name, status.code]).toEqual([name, 0])
      const drawn = await witan('exchange', 'map', trace, '-o', 'map.svg', '--force', '--json')
      expect([name, drawn.code]).toEqual([name, 0])
    }
  })

  it('COU-X-1 goes on with a council that was cut off, and verifies', async () => {
    const resumed = await witan('resume', named('council-unfinished'), '--json')
    expect([resumed.stderr, resumed.code, resumed.json.status]).toEqual(['', 0, 'reported'])
    expect((await witan('verify', named('council-unfinished'), '--json')).json.status).toBe('pass')
  })

  it.skipIf(!hasTerminal)(
    'AGT-REC-1 goes on with a session that was cut off, and with those that wait for a person',
    async () => {
      const task = (name: string) => ['--task', join(folder, 'work', `${name}.yaml`)]
      const resumed = await withinItsHour(named('agents-unfinished'), (trace) =>
        witan('resume', trace, ...task('task'), '--json'),
      )
      expect([resumed.stderr, resumed.code, resumed.json.status]).toEqual(['', 0, 'completed'])
      const waiting = named('agents-waiting')
      expect(await decided('approve', waiting, '--by', 'ana', '--reason', 'I read it')).toBe(0)
      const approved = await witan('resume', waiting, ...task('agents-waiting'), '--json')
      expect([approved.stderr, approved.code, approved.json.status]).toEqual(['', 0, 'completed'])
      const cut = named('agents-cut-off-waiting')
      const resolve = ['p1-i1', '--as', 'again', '--by', 'ana', '--reason', 'it did not run']
      expect(await decided('resolve', cut, ...resolve)).toBe(0)
      expect((await witan('resume', cut, ...task('task'), '--json')).json.status).toBe('completed')
      for (const trace of [named('agents-unfinished'), waiting, cut])
        expect((await witan('verify', trace, '--json')).json.status).toBe('pass')
    },
  )

  it('EXC-DET-1 goes on with an exchange that was cut off, with its branches, and with a signal that waits', async () => {
    const unfinished = named('exchange-unfinished')
    const resumed = await witan('resume', unfinished, '--json')
    expect([resumed.stderr, resumed.code, resumed.json.round]).toEqual(['', 0, 4])
    const branch = named('exchange-branch')
    expect((await witan('exchange', 'run', branch, '--rounds', '1', '--json')).json.round).toBe(3)
    const waiting = named('exchange-signal-waiting')
    const answered = await witan(
      'exchange',
      'answer',
      waiting,
      '--with',
      'acknowledge',
      '--reason',
      'heard',
      '--json',
    )
    expect(answered.code).toBe(0)
    for (const trace of [unfinished, branch, waiting])
      expect((await witan('verify', trace, '--json')).json.status).toBe('pass')
  })
})
