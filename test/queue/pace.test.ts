// Two workers as real processes, and a provider that answers 429 with Retry-After to one of them.

import { describe, expect, it } from 'vitest'
import { openPostgresQueue } from '../../src/stores/postgres/queue/queue.ts'
import { opinion } from '../fakes/council.ts'
import { THREE } from '../support/council-run.ts'
import { finishedTraces, type Told } from './traces.ts'
import { server, sharedMachines } from './workers.ts'

const share = sharedMachines()
const RETRY_MS = 6_000

interface Attempt {
  readonly ok: boolean
  readonly waited_ms: number
}

/** How the first opinion of this seat was asked for. */
function attemptsOf(events: readonly Told[], seat: string): readonly Attempt[] {
  for (const { payload } of events) {
    const { call } = payload as { call?: { seat?: string; attempts?: readonly Attempt[] } }
    const named = (payload as { seat?: string }).seat ?? call?.seat
    const attempts = call?.attempts ?? (payload as { attempts?: readonly Attempt[] }).attempts
    if (named === seat && attempts) return attempts
  }
  throw new Error(`${seat} was not asked: ${events.map(({ type }) => type).join(' ')}`)
}

describe.skipIf(server === null)('a provider that is asked too much', () => {
  it('APP-14 VOX-4 tells one worker to wait, and no worker asks it before', async () => {
    const busy = {
      act: 'error',
      kind: 'rate_limit',
      message: 'Slow down.',
      retryAfter: { as: 'seconds', ms: RETRY_MS },
    } as const
    const here = await share({ ...THREE, a: { ...THREE.a, R1: [busy, opinion()] } })
    const ask = async (tag: string): Promise<string> => {
      const { json } = await here.run('ask', `Shall we, ${tag}?`, '--queue', '--tag', tag, '--json')
      return String(json.trace)
    }
    const [first, second] = [await ask('one'), await ask('two')]
    const queue = await openPostgresQueue({ url: here.url })
    here.undo.push(() => queue.close())
    await queue.cancel(second)
    const other = here.start('--name', 'two', '--tags', 'two', '--listen', '0')
    await other.until('registered')
    here.start('--name', 'one', '--tags', 'one')
    await expect
      .poll(() => queue.heldProviders(), { timeout: 60_000 })
      .toMatchObject([{ provider: 'a', transport: 'api', worker: 'one', times: 1 }])
    const [held] = await queue.heldProviders()
    await queue.retry(second)
    const view = await here.run('queue', 'list')
    expect(view.stdout).toMatch(/a \(api\) is not asked for \d+ s: it told one to slow down/)
    const [ours, theirs] = await finishedTraces(here.url, [first, second])
    // The one that was told asked again; the other had not asked before it might.
    expect(attemptsOf(ours ?? [], 'a')).toHaveLength(2)
    const waited = attemptsOf(theirs ?? [], 'a')
    expect(waited).toHaveLength(1)
    expect(waited[0]?.waited_ms).toBeGreaterThan(0)
    expect(here.server.heard.filter(({ model, round }) => model === 'a' && round === 'R1')).toHaveLength(3)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(held?.until ?? ''))
    const url = String((await other.until('listening')).url)
    const figures = await (await fetch(`${url}/metrics`)).text()
    expect(figures).toMatch(/^witan_held_back_seconds_total [1-9.]/m)
    expect(figures).toMatch(/^witan_providers_held 0$/m)
  }, 180_000)
})
