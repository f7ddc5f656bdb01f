// What an evaluation says of its councils, compared with the councils themselves.
import { afterEach, describe, expect, it } from 'vitest'
import { type CouncilRecord, compareCouncils, type FindCouncil } from '../../src/app/eval/compare-councils.ts'
import { collectSections } from '../../src/clerk/extract.ts'
import type { Section } from '../../src/ledger/bundle/bundle.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import { readHeader, readPayload, type SealedEvent } from '../../src/ledger/event.ts'
import type { CouncilServer } from '../fakes/council.ts'
import { simulate, simulatedSet } from '../fakes/simulated-members.ts'
import { evaluate } from '../support/eval-run.ts'

const NAMES = ['ada', 'ben', 'cyd']
let server: CouncilServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const changed = (section: Section, change: (event: SealedEvent, type: string) => SealedEvent): Section => ({
  ...section,
  events: section.events.map((one) => {
    const header = readHeader(one.event.header)
    return { ...one, event: change(one.event, typeof header === 'string' ? '' : header.type) }
  }),
})

/** With other words in the payload of every event of this type; its hash is left as it was. */
const saying = (section: Section, type: string, from: RegExp, to: string): Section =>
  changed(section, (event, own) => {
    if (own !== type || !event.payload) return event
    const payload = readPayload(event.payload)
    const text = canonicalize(typeof payload === 'string' ? {} : payload).replace(from, to)
    return { ...event, payload: Buffer.from(text) }
  })

describe('the councils of an evaluation', () => {
  it('COU-X-4 are found to say what it says of them, and every other record is found not to', async () => {
    const members = Object.fromEntries(NAMES.map((name) => [name, { knows: (item: number) => item }]))
    server = await simulate({ members, chair: (item) => item })
    const { storage, evaluation } = await evaluate(server.url, NAMES, simulatedSet(2), {
      arms: ['council', 'vote', 'council-no-r2', 'council:benx3'],
    })
    const { store } = storage.ports
    const find: FindCouncil = (trace) => collectSections(store, trace)
    const record = (await collectSections(store, evaluation.trace)) as CouncilRecord
    const whole = await compareCouncils(record, find)
    expect(whole).toEqual({ councils: { named: 6, compared: 6, absent: 0, erased: 0 }, faults: [] })

    const none = await compareCouncils(record, async () => null)
    expect(none).toEqual({ councils: { named: 6, compared: 0, absent: 6, erased: 0 }, faults: [] })

    const altered = {
      ...record,
      main: saying(record.main, 'item_held', /"confidence":"\w+"/, '"confidence":"low"'),
    }
    const lied = await compareCouncils(altered, find)
    expect(lied.faults.length).toBeGreaterThanOrEqual(2)
    for (const { message } of lied.faults) expect(message).toMatch(/it says otherwise: (?:opinions|report)/)

    const cost = { ...record, main: saying(record.main, 'item_held', /"calls":\d+/, '"calls":1') }
    expect((await compareCouncils(cost, find)).faults[0]?.message).toMatch(/it says otherwise: spent/)

    const through =
      (change: (found: CouncilRecord) => CouncilRecord): FindCouncil =>
      async (trace) => {
        const found = await find(trace)
        return found && change(found)
      }
    const messages = async (change: (found: CouncilRecord) => CouncilRecord): Promise<Set<string>> => {
      const { faults } = await compareCouncils(record, through(change))
      expect(faults).toHaveLength(6)
      return new Set(
        faults.map(({ message }) => message.replace(/^council \w+: /, '').replace(/\w{26}(\/\d+)?/, 'T')),
      )
    }
    expect(
      await messages((found) => ({
        ...found,
        main: saying(found.main, 'council_closed', /"status":"\w+"/, '"status":"x"'),
      })),
    ).toEqual(new Set(['what T says was changed']))
    expect(
      await messages((found) => ({
        ...found,
        main: { ...found.main, events: found.main.events.slice(0, -1) },
      })),
    ).toEqual(new Set(['T is not the record that the evaluation names']))
    expect(
      await messages((found) => ({ ...found, main: { ...found.main, events: found.main.events.slice(1) } })),
    ).toEqual(new Set(['T does not follow the event before it']))

    const erased = await compareCouncils(
      record,
      through((found) => ({
        ...found,
        main: changed(found.main, (event, type) =>
          type === 'council_closed' ? { ...event, payload: null, salt: null } : event,
        ),
      })),
    )
    expect(erased).toEqual({ councils: { named: 6, compared: 0, absent: 0, erased: 6 }, faults: [] })
  }, 120_000)
})
