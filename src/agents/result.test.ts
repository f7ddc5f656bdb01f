// What a session came to, in a value and in a word; and what a council among its critics is shown.
import { describe, expect, it } from 'vitest'
import { TRACE, Walk } from '../../test/support/agents-walk.ts'
import { by, COUNCIL, hashOf, MIND, task, written } from '../../test/support/agents-world.ts'
import { sha256 } from '../stores/digest.ts'
import { artifactsShown, councilParts } from './prompts/prompts.ts'
import { endedWithoutSuccess, outcomeWords, resultJson, resultOf } from './result.ts'

const claims = ['MIT License', 'Permission', 'GNU'].map((quote) => ({
  text: quote,
  confidence: 'high' as const,
  evidence: [{ step: 'a', quote }],
}))
const result = (walk: Walk) => resultOf(TRACE, walk.session)

describe('the result of a session', () => {
  it('AGT-AUD-1 is proven only once it is audited', () => {
    const walk = new Walk()
      .open(task({ proposals: [written({ claims })] }))
      .run((w) => w.phase === 'auditing')
    expect(result(walk)).toMatchObject({ status: 'auditing', proven: [] })
    expect(result(walk).unproven.map(({ text, reason }) => `${text}: ${reason}`)).toEqual([
      expect.stringMatching(/^GNU: contradicted: /),
      'MIT License: not audited yet',
      'Permission: not audited yet',
    ])
    const done = result(walk.run())
    expect(done.proven.map(({ id, text }) => `${id} ${text}`)).toEqual([
      'p1-c1 MIT License',
      'p1-c2 Permission',
    ])
    expect(done.unproven).toHaveLength(1)
    expect(done.proposals).toMatchObject([{ id: 'p1', status: 'closed', outcome: 'succeeded' }])
    expect([outcomeWords(done), endedWithoutSuccess(done)]).toEqual(['completed', false])
  })

  it('AGT-AUD-1 is given to programs in the word that lists use, beside the phase of the protocol', () => {
    const vain = result(
      new Walk({ run: () => ({ ok: false, type: 'execution', message: 'no' }) } as never).open().run(),
    )
    expect([resultJson(vain).status, resultJson(vain).phase]).toEqual([outcomeWords(vain), vain.status])
    const done = result(new Walk().open().run())
    expect(resultJson(done)).toEqual({ ...done, status: 'completed', phase: 'completed' })
    expect('scripted' in done).toBe(false)
    expect(result(new Walk().open(task({ scripted: true })).run()).scripted).toBe(true)
  })

  it('AGT-AUD-1 is "nothing proven" if the audit failed or the session was aborted', () => {
    const failed = result(new Walk({ audit: () => 'fail' }).open().run())
    expect([outcomeWords(failed), failed.proven, failed.unproven]).toEqual([
      'failed',
      [],
      [{ text: 'a is MIT', reason: 'the audit failed' }],
    ])
    const walk = new Walk().open().run((w) => w.phase === 'auditing')
    walk.say({ type: 'session_aborted', actor: by('olga'), payload: { reason: 'r', via: 'terminal' } })
    expect(result(walk).unproven[0]?.reason).toBe('the session was aborted before its audit')
  })

  it('AGT-TOOL-4 is "nothing succeeded" if no proposal succeeded, even with an audit and a proven claim', () => {
    const vain = result(new Walk({ tool: () => new Error('gone') }).open().run())
    expect(vain).toMatchObject({ status: 'completed', proposals: [{ outcome: 'failed' }] })
    expect([endedWithoutSuccess(vain), outcomeWords(vain)]).toEqual([true, 'nothing succeeded'])
    expect(outcomeWords({ ...vain, proven: [] })).toBe('nothing proven')
  })
})

describe('the context of a council among the critics', () => {
  const { roles } = task()
  const walk = new Walk({ assess: () => ({ decision: 'allow', needs: 'critic', risk: 'high' }) })
    .open(task({ roles: { ...roles, critics: [...roles.critics, COUNCIL] } }))
    .run((w) => w.wanted.some(({ id }) => id.startsWith('convene/')))
  const content = (hash: string) => walk.world.artifacts.get(hash) ?? null
  const shown = (subject: string) => councilParts(walk.session, subject, 'c1', { sha256, content })

  it('AGT-X-3 is the task, the intent with its arguments, the decision of the policy, and the tool', () => {
    const text = shown('p1-i1')
      .map((part) => part.text)
      .join('\n')
    for (const words of [
      'State the licence of every package',
      'a/LICENSE',
      'as the policy says',
      'files.read',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('files.write')
  })

  it('AGT-X-3 is the proposal with the tools that it needs, without empty parts', () => {
    const text = shown('p1')
      .map((part) => part.text)
      .join('\n')
    expect(text).toContain('Read each LICENSE')
    expect(text).not.toContain('shell.run')
    expect(() => shown('p9')).toThrow('there is no p9 to judge')
  })

  it('AGT-X-3 draws marks that stand in no prompt of another council', () => {
    const marks = (council: string) =>
      councilParts(walk.session, 'p1', council, { sha256, content }).flatMap(({ text }) =>
        [...text.matchAll(/-([0-9a-f]{16})/g)].map(([, mark]) => mark),
      )
    expect(marks('c1').length).toBeGreaterThan(0)
    expect(marks('c1').filter((mark) => marks('c2').includes(mark))).toEqual([])
  })
})

describe('the artifacts that a prompt may show', () => {
  it('AGT-CLAIM-2 are the definitions of tools, the results of the work, and what a claim quotes', () => {
    const { roles } = task()
    const walk = new Walk().open(task({ roles: { ...roles, critics: [...roles.critics, MIND] } }))
    walk.run((w) => w.phase === 'claiming' && w.session.claims.size > 0)
    const definitions = task().tools.map(({ definition }) => definition)
    const left = [...walk.session.intents.values()].flatMap(({ artifacts }) => artifacts)
    const all = [...new Set([...definitions, ...left])].sort()
    expect([...artifactsShown(walk.session, 'p1')].sort()).toEqual(all)
    expect([...artifactsShown(walk.session, 'p1-c1')].sort()).toEqual(all)
    expect(artifactsShown(walk.session, 'p9')).toEqual(definitions)
    expect(definitions).not.toContain(hashOf('x'))
  })
})
