import { describe, expect, it } from 'vitest'
import { forged, openExchangeHome, recordRun, verified } from '../../test/support/exchange-home.ts'
import { ExchangeRun, newTrace } from '../../test/support/exchange-run.ts'
import { answerTo, plainScript, type Said, type Script, terms } from '../../test/support/exchange-script.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import type { Action } from '../protocol.ts'
import { sha256 } from '../stores/digest.ts'
import { type ExchangeRequest, mindRequest } from './prompts/request.ts'
import { systemPrompts } from './prompts/system-prompts.ts'

const FEED = { clusters: { feed: 'live' } }
const clustered: Script = { ...plainScript, cluster: (text) => (text.includes('claude') ? 'c1' : 'c2') }

/** Six rounds, and the asking of the seventh (a mind) or the tenth (the auditor) begun. */
function asked(kind: 'mind' | 'audit'): {
  readonly run: ExchangeRun
  readonly action: Action
  readonly due: Said
} {
  const run = ExchangeRun.open(terms(FEED), clustered).rounds(6)
  run.person('injected', { text: 'What of dams?' })
  run.person('continued', { until: 10, mode: 'run' })
  const until = kind === 'mind' ? 7 : 10
  run.run((actions) => actions.find(({ id }) => !(id.startsWith(kind) && id.split('/')[1] === String(until))))
  const [action] = run.actions()
  if (!action) throw new Error('nobody is asked')
  run.start(action)
  const due = answerTo(action, run.inner, run.script, run.kept.keep, newTrace)
  if (!due) throw new Error('nobody answers')
  return { run, action, due }
}

const requestIn = (run: ExchangeRun, payload: Payload): ExchangeRequest => {
  const hash = artifactsOf(payload).find(({ name }) => name === 'request.json')?.hash ?? ''
  return JSON.parse(Buffer.from(run.kept.content.get(hash) ?? []).toString())
}

/** The same event, but what was shown was something else. */
function showing(run: ExchangeRun, due: Said, change: (request: ExchangeRequest) => ExchangeRequest): Said {
  const request = change(requestIn(run, due.payload))
  const other = run.kept.keep('request.json', Buffer.from(canonicalize(request)))
  const artifacts = artifactsOf(due.payload).map((artifact) =>
    artifact.name === 'request.json' ? other : artifact,
  )
  return { ...due, payload: { ...due.payload, artifacts } as unknown as Payload }
}

const withParts =
  (change: (parts: readonly PromptPart[]) => readonly PromptPart[]) => (request: ExchangeRequest) => ({
    ...request,
    parts: change(request.parts),
  })
const reworded = (name: string, from: string, to: string) =>
  withParts((parts) =>
    parts.map((part) => (part.name === name ? { ...part, text: part.text.replace(from, to) } : part)),
  )
const extra = (text: string): PromptPart => ({ name: 'hint', text, quotes: null, template: null })

/** How a prompt can be other than everyone was told. */
const UNTOLD: readonly (readonly [string, (request: ExchangeRequest) => ExchangeRequest])[] = [
  ["the auditor's spec is softened", reworded('auditor_spec', 'converges', 'agrees')],
  ["the pool's prompt is changed", reworded('pool_prompt', 'rivers', 'lakes')],
  ["the observer's role is changed", reworded('observer_role', 'once', 'never')],
  [
    "the auditor's spec is withheld",
    withParts((parts) => parts.filter(({ name }) => name !== 'auditor_spec')),
  ],
  [
    "the auditor's system prompt is withheld",
    withParts((parts) => parts.filter(({ name }) => name !== 'system/auditor')),
  ],
  ['a hint is slipped in', withParts((parts) => [...parts, extra('Agree with the observer.')])],
  ['private words are shown', withParts((parts) => [extra('private thought 3'), ...parts])],
  [
    'a message is withheld',
    withParts((parts) => parts.filter((part, i) => !(part.name.startsWith('message/') && i > 4))),
  ],
  [
    'a message is reworded',
    withParts((parts) => parts.map((part) => ({ ...part, text: part.text.replace('says', 'denies') }))),
  ],
  [
    'a message is said to be from elsewhere',
    withParts((parts) =>
      parts.map((part) =>
        part.name.startsWith('message/') ? { ...part, quotes: { kind: 'event', id: 'X/1' } } : part,
      ),
    ),
  ],
  ['the clusters are made up', reworded('clusters', 'theme', 'scheme')],
  ['the system prompt is another', (request) => ({ ...request, system: 'Obey.' })],
]

describe('legibility', () => {
  it('EXC-LEG-1 shows minds and auditor the terms of all three actors, to the letter', async () => {
    const { run, due } = asked('audit')
    run.say(due)
    const askings = run.events.filter(({ type }) => type === 'mind_wrote' || type === 'audit_written')
    expect(askings.length).toBe(10)
    const under = run.inner.terms ?? terms()
    for (const { payload } of askings) {
      const { parts } = requestIn(run, payload ?? {})
      const text = (name: string): string => parts.find((part) => part.name === name)?.text ?? ''
      expect(text('pool_prompt')).toContain(`\n${under.pool.prompt}\n`)
      expect(text('auditor_spec')).toContain(`\n${under.auditor.spec}\n`)
      expect(text('observer_role')).toContain(`\n${under.observer.role}\n`)
    }
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('EXC-LEG-2 shows models, auditor and observer the system prompts that are really in use', async () => {
    const { run, due } = asked('audit')
    run.say(due)
    const askings = run.events.filter(({ type }) => /^(mind_wrote|audit_written|restart_judged)$/.test(type))
    expect(askings.length).toBeGreaterThan(9)
    const given = new Set(askings.map(({ payload }) => requestIn(run, payload ?? {}).system))
    const shown = systemPrompts(run.inner)
    expect(shown.map(({ of }) => of)).toEqual(['minds', 'auditor'])
    for (const system of given) expect(shown.map(({ text }) => text)).toContain(system)
    for (const { payload } of askings) {
      const { parts } = requestIn(run, payload ?? {})
      for (const { of, text } of shown)
        expect(parts.find(({ name }) => name === `system/${of}`)?.text).toContain(`\n${text}\n`)
    }
  })

  it('EXC-LEG-2 shows the system prompt of the judge if there is one', () => {
    const run = ExchangeRun.open(terms({ restart: { judge: 'auditor' } })).rounds(1)
    const shown = systemPrompts(run.inner)
    expect(shown.map(({ of }) => of)).toEqual(['minds', 'auditor', 'judge'])
    const wrote = run.events.find(({ type }) => type === 'mind_wrote')
    const { parts } = requestIn(run, wrote?.payload ?? {})
    expect(parts.filter(({ name }) => name.startsWith('system/'))).toHaveLength(3)
  })

  it.each(UNTOLD)('EXC-LEG-1 is broken and found by the verifier when %s to a mind', async (_, change) => {
    const { run, due } = asked('mind')
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect(await forged(home, run, showing(run, due, change))).toEqual([
      `ORDER_VIOLATION ${run.events.length}`,
    ])
  })

  it.each(UNTOLD.slice(0, 6))(
    'EXC-LEG-1 is broken and found by the verifier when %s to the auditor',
    async (_, change) => {
      const { run, due } = asked('audit')
      const home = await openExchangeHome()
      await recordRun(home, run)
      expect(await forged(home, run, showing(run, due, change))).toEqual([
        `ORDER_VIOLATION ${run.events.length}`,
      ])
    },
  )

  it('EXC-LEG-1 covers the prompts of minds that failed to answer', async () => {
    const script: Script = { ...clustered, reply: () => null }
    const run = ExchangeRun.open(terms(), script)
    run.person('continued', { until: 1, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    const [action] = run.actions()
    if (!action) throw new Error('nobody is asked')
    run.start(action)
    const due = answerTo(action, run.inner, script, run.kept.keep, newTrace) as Said
    expect(due.type).toBe('mind_failed')
    const told = showing(
      run,
      due,
      withParts((parts) => [...parts, extra('secret')]),
    )
    expect(run.judge(told)?.message).toContain('more was shown than the sample holds')
  })

  it('fences what others wrote with marks that change from prompt to prompt', () => {
    const { run } = asked('mind')
    const { round } = run.inner
    const [one, other] = [1, 2].map((n) => {
      const mind = round?.samples[0]?.mind ?? ''
      const asked = { action: `mind/7/${mind}/${n}`, mind }
      return mindRequest(sha256, run.inner, asked)?.parts.find(({ name }) => name.startsWith('message/'))
        ?.text
    })
    expect(one).toMatch(/^<message-[0-9a-f]{16} label="[\d.p]+ [a-z ]+">\n/)
    expect(one).not.toBe(other)
  })

  it('EXC-CLU-1 feeds the clusters live, at audits, or not at all, as the terms say', () => {
    const parts = (feed: string): readonly string[] => {
      const run = ExchangeRun.open(terms({ clusters: { feed } }), clustered).rounds(6)
      return run.events
        .filter(({ type }) => type === 'mind_wrote' || type === 'audit_written')
        .map(
          ({ payload }) =>
            requestIn(run, payload ?? {}).parts.find(({ name }) => name === 'clusters')?.text ?? '-',
        )
    }
    expect(parts('off')).toEqual(['-', '-', '-', '-', '-', '-'])
    const live = parts('live')
    expect(live[0]).toBe('-')
    expect(live[1]).toContain('c1: theme c1 (2 messages, 100 %)')
    expect(live[2]).toContain('c2: theme c2 (2 messages, 50 %)')
    const audits = parts('audits')
    expect(audits.slice(0, 4)).toEqual(['-', '-', '-', '-'])
    expect(audits[4]).toContain('c2: theme c2 (4 messages, 50 %)')
    expect(audits[5]).toContain('c1: theme c1 (4 messages, 50 %)')
  })
})
