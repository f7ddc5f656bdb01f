// A server of its own is stopped without warning again and again while two writers append: one whose store waits
// for the server and hides the crashes, one that sees every fault and reads the head again.

import { createHash, randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { descriptor, endOf, makeChain, makeTrace, testKey } from '../../../test/support/events.ts'
import { type PostgresServer, startPostgres, whyNoPostgres } from '../../../test/support/postgres.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { artifactsOf, eventHash, GENESIS, payloadHash, readHeader, readPayload } from '../../ledger/event.ts'
import { eventMessage } from '../../ledger/signing.ts'
import { sha256 } from '../digest.ts'
import { openPostgresStore } from '../postgres.ts'
import { verifySignature } from '../signature-checks.ts'
import type { Store } from '../store.ts'

const CRASHES = 24
const PATIENT_MS = 120_000
const reason = whyNoPostgres()
const title = `a PostgreSQL server that crashes${reason ? ` (skipped: ${reason})` : ''}`

interface Writer {
  readonly trace: string
  /** Heads whose append was acknowledged. */
  readonly acknowledged: { size: number; hash: string }[]
  faults: number
  artifacts: number
}

/** One append: a single event or a batch, sometimes on a small or a large artifact. */
async function appendOnce(store: Store, writer: Writer, from: { size: number; hash: string }): Promise<void> {
  const stored = randomInt(3) === 0
  const bytes = randomBytes(randomInt(6) === 0 ? 2_500_000 : 3_000)
  const artifact = stored ? await store.putArtifact(bytes) : null
  const events = makeChain({
    trace: writer.trace,
    count: randomInt(2) === 0 ? 1 : randomInt(2, 65),
    from: from.size,
    prev: from.hash,
    payload: (seq) => ({
      text: `event ${seq}`,
      artifacts: artifact ? [{ ...descriptor(artifact.hash, artifact.size) }] : [],
    }),
  })
  await store.append(writer.trace, from, events)
  writer.acknowledged.push(endOf(events, from.size))
  if (artifact) writer.artifacts += 1
}

const headOf = async (store: Store, trace: string) => {
  const head = await store.head(trace)
  return { size: head?.size ?? 0, hash: head?.hash ?? GENESIS }
}

async function write(store: Store, writer: Writer, until: AbortSignal): Promise<void> {
  let head = { size: 0, hash: GENESIS }
  while (!until.aborted) {
    try {
      await appendOnce(store, writer, head)
      head = writer.acknowledged.at(-1) ?? head
    } catch (error) {
      if (!isWitanError(error, 'VAULT_UNREACHABLE')) throw error
      writer.faults += 1
      head = await headAfterCrash(store, writer.trace)
    }
  }
}

async function headAfterCrash(store: Store, trace: string): Promise<{ size: number; hash: string }> {
  for (;;) {
    try {
      return await headOf(store, trace)
    } catch (error) {
      if (!isWitanError(error, 'VAULT_UNREACHABLE')) throw error
      await pause(20)
    }
  }
}

async function digestOf(store: Store, hash: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const bytes of (await store.openArtifact(hash)) ?? []) digest.update(bytes)
  return digest.digest('hex')
}

/** Checks every link, signature and payload of the trace, and every artifact it names; returns its head. */
async function verifyAll(store: Store, trace: string): Promise<Writer['acknowledged'][number]> {
  let head = { size: 0, hash: GENESIS }
  const named = new Set<string>()
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    const payload = event.payload ? readPayload(event.payload) : 'no payload'
    if (typeof header === 'string' || typeof payload === 'string' || !event.payload || !event.salt) {
      throw new Error(`event ${head.size}: ${header}, ${payload}`)
    }
    const sound =
      header.trace === trace &&
      header.seq === head.size &&
      header.prev === head.hash &&
      event.hash === eventHash(sha256, event.header) &&
      header.payload_hash === payloadHash(sha256, event.salt, event.payload) &&
      verifySignature(testKey.publicKey, eventMessage(event.header), event.signature)
    if (!sound) throw new Error(`event ${head.size} does not verify`)
    for (const { hash } of artifactsOf(payload)) named.add(hash)
    head = { size: head.size + 1, hash: event.hash }
  }
  for (const hash of named) expect(await digestOf(store, hash)).toBe(hash)
  return head
}

describe.skipIf(reason !== null)(title, () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  it(`LED-9 loses nothing acknowledged in ${CRASHES} immediate stops and appends on`, {
    timeout: 900_000,
  }, async () => {
    // On a busy machine a server takes long to come back: how long one waits for it is not the question here.
    const patient = await openPostgresStore({ url: server.url, patience: PATIENT_MS })
    const impatient = await openPostgresStore({ url: server.url, patience: 0 })
    const writers: Writer[] = [patient, impatient].map(() => ({
      trace: makeTrace(),
      acknowledged: [],
      faults: 0,
      artifacts: 0,
    }))
    const [hidden, seen] = writers as [Writer, Writer]
    const stop = new AbortController()
    const work = Promise.all([write(patient, hidden, stop.signal), write(impatient, seen, stop.signal)])

    for (let crash = 0; crash < CRASHES; crash++) {
      await Promise.race([work, pause(randomInt(40, 400))])
      await server.crash()
      const promised = writers.map((writer) => writer.acknowledged.at(-1))
      await server.start()
      const reopened = await openPostgresStore({ url: server.url, patience: PATIENT_MS })
      for (const [i, { trace }] of writers.entries()) {
        const end = promised[i]
        if (!end) continue
        expect(await reopened.hashes(trace, end.size - 1, end.size)).toEqual([end.hash])
      }
      await reopened.close()
    }
    stop.abort()
    await work

    for (const { trace, acknowledged } of writers) {
      const end = await verifyAll(patient, trace)
      const hashes = await patient.hashes(trace)
      for (const { size, hash } of acknowledged) expect(hashes[size - 1]).toBe(hash)
      const next = makeChain({ trace, count: 1, from: end.size, prev: end.hash })
      await patient.append(trace, end, next)
    }
    expect(hidden.faults).toBe(0)
    expect(seen.faults).toBeGreaterThan(0)
    expect(hidden.artifacts + seen.artifacts).toBeGreaterThan(0)
    await Promise.all([patient.close(), impatient.close()])
  })

  it('LED-9 continues to watch and to hold its lock when the server is back', async () => {
    const [here, there] = await Promise.all([
      openPostgresStore({ url: server.url, patience: PATIENT_MS }),
      openPostgresStore({ url: server.url, patience: PATIENT_MS }),
    ])
    const trace = makeTrace()
    const leave = await here.attend('clerk-1')
    const watched = here.watch(trace, 0, new AbortController().signal)
    await server.crash()
    await server.start()
    await expect.poll(() => there.attends('clerk-1'), { timeout: PATIENT_MS }).toBe(true)
    await there.append(trace, { size: 0, hash: GENESIS }, makeChain({ trace, count: 1 }))
    await watched
    await leave()
    expect(await there.attends('clerk-1')).toBe(false)
    await Promise.all([here.close(), there.close()])
  })
})
