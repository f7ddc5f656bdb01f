// Acts in two steps: what is shown is what is signed, byte for byte, by the key that was named; nothing is signed by
// looking, nothing twice, and nothing that was not shown.

import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withHome } from '../../src/app/home/home.ts'
import { fromUtf8 } from '../../src/ledger/bytes.ts'
import { eventMessage } from '../../src/ledger/signing.ts'
import { newHome, type Where, witan } from '../doors/command.ts'
import { ask, enter, type RunningConsole, startConsole } from '../support/console.ts'
import { projectRoot } from '../support/sources.ts'

const TASK = `objective: Write the note
workspace: ./vendor
policy: strict
roles: {critic: [policy, human]}
tools: [files.read, files.write]
proposals:
  - objective: Read the licence, then write a note
    expected_evidence: [licence text]
    steps:
      - {id: read, tool: files.read, input: {path: alpha/LICENSE}, justification: licence of alpha}
      - {id: write, tool: files.write, input: {path: NOTE.md, content: "alpha is MIT"}, justification: the note}
    claims:
      - {text: alpha is MIT, confidence: high, evidence: [{step: read, quote: MIT License}]}
`

interface Shown {
  readonly token: string
  readonly events: readonly {
    readonly actor: { readonly agent: string; readonly key: string }
    readonly message: string
    readonly payload: string
  }[]
  readonly passphrase_of: string | null
}

describe('an act in the console', () => {
  let where: Where & { readonly cwd: string }
  let console: RunningConsole
  let cookie: string
  let trace: string

  beforeAll(async () => {
    where = await newHome()
    await cp(join(projectRoot, 'examples/agents/vendor'), join(where.cwd, 'vendor'), { recursive: true })
    await writeFile(join(where.cwd, 'task.yaml'), TASK)
    const name = (await witan(where, 'keys', 'list', '--json')).json as { keys: { agent: string }[] }
    expect(name.keys.length).toBeGreaterThan(0)
    await witan(where, 'keys', 'add', 'ana', '--role', 'critic')
    const run = await witan(where, 'agents', 'run', 'task.yaml', '--yes', '--json')
    expect(run.code).toBe(8)
    trace = (run.json as { trace: string }).trace
    console = await startConsole(where.home)
    cookie = await enter(console)
  })
  afterAll(() => console?.stop())

  const send = async (path: string, body: object) => {
    const headers = { cookie, origin: console.origin, 'x-witan': '1', 'content-type': 'application/json' }
    const { status, text } = await ask(console, `/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status, json: JSON.parse(text) }
  }
  const get = async (path: string) =>
    JSON.parse((await ask(console, `/api${path}`, { headers: { cookie } })).text)
  const size = () =>
    withHome({ directory: where.home, mode: 'read' }, async ({ store }) => (await store.hashes(trace)).length)
  const decide = (as: string, reason: string) => ({
    act: 'decide',
    trace,
    subject: 'p1',
    as,
    reason,
    by: 'ana',
  })

  it('AGT-X-1 is offered with the exact matter, the rule that asks and the commands that do the same', async () => {
    const { decisions } = await get('/inbox')
    expect(decisions).toHaveLength(1)
    expect(decisions[0]).toMatchObject({ trace, kind: 'review', subject: 'p1', objective: 'Write the note' })
    expect(decisions[0].plan.steps[1].input).toEqual({ path: 'NOTE.md', content: 'alpha is MIT' })
    expect(decisions[0].commands.join()).toContain('witan agents approve')
    expect(decisions[0]).not.toHaveProperty('state')
  })

  it('signs exactly the bytes that were shown, by the key that was named, and says that it came by the console', async () => {
    const before = await size()
    const { status, json: shown } = (await send('/acts/prepare', decide('approve', 'looks right'))) as {
      status: number
      json: Shown
    }
    expect(status).toBe(200)
    expect(await size()).toBe(before)
    expect(shown.events).toHaveLength(1)
    expect(shown.events[0]?.actor.agent).toBe('ana')
    expect(JSON.parse(shown.events[0]?.payload ?? '')).toMatchObject({
      verdict: 'approved',
      reasons: ['looks right'],
      via: 'console',
    })
    const rival = (await send('/acts/prepare', decide('block', 'no'))).json as Shown
    const done = await send('/acts/confirm', { token: shown.token, passphrase: null })
    expect(done.status).toBe(200)
    const last = await withHome({ directory: where.home, mode: 'read' }, async ({ store }) => {
      for await (const event of store.read(trace, before, before + 1)) return event
      return null
    })
    expect(last && fromUtf8(eventMessage(last.header))).toBe(shown.events[0]?.message)
    expect(last?.payload && fromUtf8(last.payload)).toBe(shown.events[0]?.payload)
    // Two people, or two browsers: the first counts, the second is told, and nothing of the second is recorded.
    const second = await send('/acts/confirm', { token: rival.token, passphrase: null })
    expect(second.status).toBeGreaterThanOrEqual(400)
    expect(second.json.message).toMatch(/no pending decision|moved on/)
    const again = await send('/acts/confirm', { token: shown.token, passphrase: null })
    expect(again.json.message).toContain('too old')
    expect(await size()).toBe(before + 1)
    expect((await witan(where, 'verify', trace, '--json')).json).toMatchObject({ failures: [] })
  })

  it('signs nothing once the trace has moved on since it was shown', async () => {
    await witan(where, 'resume', trace, '--yes')
    const { decisions } = await get('/inbox')
    const [{ subject }] = decisions
    const act = { act: 'decide', trace, subject, as: 'approve', reason: 'ok', by: 'ana', minutes: 5 }
    const shown = (await send('/acts/prepare', act)).json as Shown
    const aborted = (await send('/acts/prepare', { act: 'abort', trace, reason: 'enough' })).json as Shown
    expect((await send('/acts/confirm', { token: aborted.token, passphrase: null })).status).toBe(200)
    const before = await size()
    const refused = await send('/acts/confirm', { token: shown.token, passphrase: null })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(await size()).toBe(before)
  })

  it('refuses what is no act, and words that are none of its own', async () => {
    for (const body of [
      {},
      { act: 'decide' },
      { act: 'approve-all' },
      { ...decide('approve', 'x'), trace: '../x' },
    ])
      expect((await send('/acts/prepare', body)).status).toBe(400)
  })
})
