// What was opened before is resumed, forked and proved inside a host, and what cannot be taken back is done by the
// person before the host or not at all.

import { readFile } from 'node:fs/promises'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { playCouncil } from '../../../test/fakes/council.ts'
import {
  call,
  filesFolder,
  type HostHome,
  hostClient,
  hostHome,
  seatsAt,
} from '../../../test/support/mcp-host.ts'
import { listKeys } from '../../app/keys/keys.ts'
import { readTrace } from '../../app/traces/read-trace.ts'
import { SETS } from './serve.ts'

const { open } = filesFolder({})
const ALL = Object.values(SETS).flat()

type Reply = { readonly action: 'accept' | 'decline'; readonly content?: Record<string, string | boolean> }
const YES: Reply = { action: 'accept', content: { allow: true, reason: 'so be it' } }
const NO: Reply = { action: 'accept', content: { allow: false } }

/** A home with two models, and a host before which a person answers like this; null when it cannot ask. */
async function host(reply: Reply | null) {
  const fake = await playCouncil()
  open.push(() => fake.close())
  const at: HostHome = await hostHome(seatsAt(fake.url, 'ada', 'bob', 'cyd'))
  open.push(at.dispose)
  const shown: string[] = []
  const client = await hostClient(at.kit, reply ? { capabilities: { elicitation: {} } } : {}, ALL)
  if (reply)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      shown.push(params.message)
      return { ...reply }
    })
  open.push(() => client.close())
  return { client, shown, fake, location: { directory: at.kit.home, postgres: null } }
}

const held = async (client: Client): Promise<string> => {
  const said = await call(client, 'council_run', { question: 'Shall we?', seats: ['ada', 'bob'] })
  expect(said.isError).toBe(false)
  return said.told.trace
}

describe('a council inside a host', () => {
  it('APP-16 is forked after a round with the same seats, and asks none again', async () => {
    const { client, fake } = await host(null)
    const trace = await held(client)
    const asked = fake.requests.length
    const said = await call(client, 'council_fork', { trace, after: 'R2', chair: 'bob' })
    expect(said.isError, said.text).toBe(false)
    expect(said.told.trace).not.toBe(trace)
    expect(fake.requests.length - asked).toBe(1)
    expect((await call(client, 'trace_verify', { trace: said.told.trace })).told.status).toBe('pass')
  })

  it('COU-C-2 is not forked to a new provider, because a tool call cannot consent', async () => {
    const { client, fake } = await host(null)
    const trace = await held(client)
    const asked = fake.requests.length
    for (const wish of [{ seats: ['ada', 'cyd'] }, { chair: 'cyd' }, { seats: ['cyd:other', 'bob'] }]) {
      const said = await call(client, 'council_fork', { trace, after: 'R1', ...wish })
      expect(said.isError).toBe(true)
      expect(said.text).toContain('a tool call cannot consent')
    }
    expect(fake.requests.length).toBe(asked)
  })

  it('APP-16 that is over is resumed to the report it has', async () => {
    const { client, fake } = await host(null)
    const trace = await held(client)
    const asked = fake.requests.length
    const said = await call(client, 'council_resume', { trace })
    expect(said.told).toMatchObject({ trace })
    expect(fake.requests.length).toBe(asked)
  })
})

describe('an act that cannot be undone', () => {
  it('APP-4 erases after the person at the host agreed, and the registry says through which host', async () => {
    const { client, shown, location } = await host(YES)
    const trace = await held(client)
    const said = await call(client, 'trace_redact', { trace, seq: 0, reason: 'holds an address' })
    expect(said.isError, said.text).toBe(false)
    expect(shown).toEqual([`Erase the payload of event 0 of ${trace} for good.\nReason: holds an address`])
    expect(said.told.reason).toBe('holds an address (allowed through a host (presence not proven))')
    const [first] = (await readTrace(location, trace)).events
    expect(first?.payload).toBeNull()
  })

  it.each([
    ['a host that cannot ask', null],
    ['a person who says no', NO],
    ['a person who closes the question', { action: 'decline' } as Reply],
  ])('APP-4 is left to a command with %s', async (_, reply) => {
    const { client, location } = await host(reply)
    const trace = await held(client)
    const before = JSON.stringify([await listKeys(location), await readTrace(location, trace)])
    const redacted = await call(client, 'trace_redact', { trace, seq: 0, reason: 'no reason' })
    expect(redacted.told.commands).toEqual([`witan redact ${trace} 0 --reason "no reason"`])
    const revoked = await call(client, 'keys_change', { act: 'revoke', name: 'clerk', reason: 'lost' })
    expect(revoked.told.commands).toEqual(['witan keys revoke clerk --reason "lost"'])
    const added = await call(client, 'keys_change', { act: 'add', name: 'eve', roles: ['critic'] })
    expect(added.told.commands).toEqual(['witan keys add eve --role critic'])
    expect(JSON.stringify([await listKeys(location), await readTrace(location, trace)])).toBe(before)
  })

  it('APP-4 ends a trace or adds a key with the consent of the person at the host', async () => {
    const { client, shown, location } = await host(YES)
    const { told } = await call(client, 'council_open', { question: 'Shall we?', alone: true })
    const ended = await call(client, 'trace_abort', { trace: told.trace, reason: 'asked the wrong question' })
    expect(ended.isError, ended.text).toBe(false)
    expect(shown[0]).toContain('asked the wrong question')
    const types = (await readTrace(location, told.trace)).events.map(
      ({ header }) => typeof header === 'object' && header.type,
    )
    expect(types).toContain('close_requested')
    await call(client, 'keys_change', { act: 'add', name: 'ana', roles: ['critic'] })
    expect((await listKeys(location)).keys.map(({ agent }) => agent)).toContain('ana')
    const list = await call(client, 'keys_list', {})
    expect(list.text).toContain('ana (critic)')
  })

  it('a passphrase is never typed through a host', async () => {
    const { client, shown } = await host(YES)
    const said = await call(client, 'keys_change', { act: 'passphrase', name: 'ana' })
    expect(said.told.commands).toEqual(['witan keys passphrase ana'])
    expect(shown).toEqual([])
  })
})

describe('evidence and the doctor inside a host', () => {
  it('APP-16 writes proofs and forms into the exports of the home', async () => {
    const { client, location } = await host(null)
    const trace = await held(client)
    const proof = await call(client, 'trace_prove', { trace, seq: 1 })
    expect(proof.told).toMatchObject({
      trace,
      seq: 1,
      file: `${location.directory}/exports/${trace}.1.proof`,
    })
    const form = await call(client, 'trace_export', { trace, form: 'dsse' })
    const lines = (await readFile(String(form.told.file), 'utf8')).trim().split('\n')
    expect(lines.length).toBe(form.told.objects)
    expect((await call(client, 'trace_prove', { trace })).isError).toBe(true)
    expect((await call(client, 'trace_prove', { trace, since: '/etc/passwd' })).isError).toBe(true)
  })

  it('APP-16 says which models can be asked', async () => {
    const { client } = await host(null)
    const said = await call(client, 'doctor', {})
    expect(said.isError, said.text).toBe(false)
    expect(said.told.table).toMatchObject({ from: 'configuration' })
  })
})
