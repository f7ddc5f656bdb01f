// Witan registered in the vendors' real programs, by their own commands, as the README says: its tools are listed to
// the program's model, which has a council held, sits in another one itself, and has both verified.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY, witan } from '../doors/command.ts'
import type { Vendor } from '../fakes/cli/stub.ts'
import { opinion, playCouncil, report, review, target } from '../fakes/council.ts'
import { type HostModel, playHost, type Turn } from '../fakes/host-model.ts'
import { seatsAt } from '../support/mcp-host.ts'
import { hostPrograms } from './host-programs.ts'
import { programOf } from './real.ts'

const SERVER = [process.execPath, BINARY, 'mcp']
const PROMPT = 'Have a council held on it.'

const HOSTS = hostPrograms(SERVER, PROMPT)

const ANSWERS: Readonly<Record<string, (labels: readonly string[]) => object>> = {
  R1: () => opinion(),
  R2: (labels) => review({ targets: labels.map((label) => target(label)) }),
  R3: () => report({ rationale: [{ point: 'It can be undone.', supported_by: ['op-1'] }] }),
}

/** Programs hand their model the text of a result or its structure. */
const isVerified = (result = ''): boolean => /PASS {2}|report\/1.{1,9}status.{1,9}pass/.test(result)

/** Has a council held by others, then takes three seats itself and answers everything it is asked, then verifies. */
const model: HostModel = ({ results }): Turn => {
  const last = results.at(-1) ?? ''
  if (results.length === 0) return { tool: 'council_run', args: { question: 'Shall we?' } }
  if (results.length === 1) return { tool: 'council_open', args: { question: 'And now?', alone: true } }
  const trace = /\b(01[0-9A-HJKMNP-TV-Z]{24})\b/.exec(last)?.[1] ?? ''
  const ticket = /\b((R[123])\.host[\w.-]*\.\d+)/.exec(last)
  if (ticket) {
    const [, named = '', round = ''] = ticket
    const labels = ['A', 'B', 'C'].filter((label) => last.includes(`${label}\\"`)).slice(0, 2)
    const answer = JSON.stringify(ANSWERS[round]?.(labels) ?? {})
    return { tool: 'council_submit', args: { trace, ticket: named, answer, model: 'loopback' } }
  }
  if (!isVerified(last)) return { tool: 'trace_verify', args: { trace: 'last' } }
  return { say: 'It is verified.' }
}

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

describe.each(Object.keys(HOSTS) as Vendor[])('the real %s as a host', (vendor) => {
  it('APP-4 lists the tools, has councils held to their reports, and has them verified', async () => {
    const { register, run, env, files = {} } = HOSTS[vendor]
    const folder = await mkdtemp(join(tmpdir(), 'witan-host-'))
    open.push(() => rm(folder, { recursive: true, force: true }))
    const [home, work, store] = ['home', 'work', 'witan'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const made of [home, work, store, join(home, '.gemini'), join(home, 'codex')]) await mkdir(made)
    for (const [path, text] of Object.entries(files)) await writeFile(join(home, path), text)
    const council = await playCouncil({ a: {}, b: {} })
    const server = await playHost(vendor, model)
    open.push(
      () => council.close(),
      () => server.close(),
    )
    await witan({ home: store }, 'init', '--name', 'desk')
    await writeFile(join(store, 'config.yaml'), seatsAt(council.url, 'a', 'b'))
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CODEX_HOME: join(home, 'codex'),
      GEMINI_CLI_HOME: home,
      WITAN_HOME: store,
      TMPDIR: folder,
      ...env(server.url),
    }
    const inside = (args: readonly string[]) => {
      const started = promisify(execFile)(programOf(vendor), args, { cwd: work, env: own, timeout: 100_000 })
      started.child.stdin?.end()
      return started
    }
    await inside(register(`WITAN_HOME=${store}`))
    const ran = await inside(run(server.url)).catch((error: { stdout: string; stderr: string }) => error)

    const seen = JSON.stringify(
      server.sights.map(({ results }) => results.at(-1)?.slice(0, 600)),
      null,
      1,
    )
    expect(server.sights[0]?.tools, ran.stderr.slice(-2_000)).toEqual(
      expect.arrayContaining([
        'council_run',
        'council_open',
        'council_submit',
        'council_status',
        'trace_verify',
      ]),
    )
    expect(council.calls(), seen).toEqual(expect.arrayContaining(['R1 a', 'R1 b', 'R3 a']))
    expect(isVerified(server.sights.at(-1)?.results.at(-1)), seen).toBe(true)
    expect(ran.stdout).toContain('It is verified.')
    const { json } = await witan({ home: store }, 'list', '--json')
    const councils = (json.traces as readonly { trace: string; protocol: string }[]).filter(({ protocol }) =>
      protocol.startsWith('council'),
    )
    expect(councils).toHaveLength(2)
    for (const { trace } of councils) {
      expect(await witan({ home: store }, 'verify', trace, '--json')).toMatchObject({ code: 0 })
    }
  })
})
