// A store where the disk is full or nothing can be written, in a process of its own whose mounts no one else sees.
// Arguments: which hardship, the home. Says what happened as one line of JSON.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWitanError } from '../../src/ledger/errors.ts'
import { openKeyring } from '../../src/stores/keyring.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { endOf, makeChain, makeTrace } from './events.ts'

const [hardship = '', directory = ''] = process.argv.slice(2)

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'none'
  } catch (error) {
    return isWitanError(error) && error.next !== '' ? error.code : String(error)
  }
}

async function count(store: Store, trace: string): Promise<number> {
  let events = 0
  for await (const event of store.read(trace)) events += event.header.length > 0 ? 1 : 0
  return events
}

/** A store is to be made where only its beginning fits, and again when there is space. */
async function createOnFullDisk(ballast: string): Promise<readonly string[]> {
  const small = join(directory, 'small')
  const make = () => codeOf(async () => (await openSqliteStore({ directory: small })).close())
  writeFileSync(ballast, Buffer.alloc(4000 << 10))
  const codes = [await make()]
  rmSync(ballast)
  codes.push(await make())
  rmSync(small, { recursive: true })
  return codes
}

async function fullDisk(): Promise<unknown> {
  const ballast = join(directory, 'ballast')
  const founded = await createOnFullDisk(ballast)
  writeFileSync(ballast, Buffer.alloc(1 << 20))
  const store = await openSqliteStore({ directory })
  const trace = makeTrace()
  const payload = () => ({ text: 'x'.repeat(50_000) })
  let head = endOf([])
  const append = async () => {
    const events = makeChain({ trace, count: 1, from: head.size, prev: head.hash, payload })
    await store.append(trace, head, events)
    head = endOf(events, head.size)
  }
  const appending = await codeOf(async () => {
    while (head.size < 10_000) await append()
  })
  const artifact = await codeOf(() => store.putArtifact(Buffer.alloc(8 << 20)))
  const debris = readdirSync(join(directory, 'artifacts/tmp')).length
  const key = await codeOf(async () => {
    for (let i = 0; i < 1000; i++) await openKeyring(directory).create('anna')
  })
  const whole = (await count(store, trace)) === head.size
  rmSync(ballast)
  const afterwards = await codeOf(append)
  const grown = (await count(store, trace)) === head.size
  await store.close()
  return { founded, appending, artifact, debris, key, whole, afterwards, grown }
}

async function nothingWritable(): Promise<unknown> {
  const reading = async () => {
    const store = await openSqliteStore({ directory, readonly: true })
    const sizes: number[] = []
    for (const { trace } of await store.traces()) sizes.push(await count(store, trace))
    await store.close()
    return sizes
  }
  let sizes: number[] = []
  const read = await codeOf(async () => {
    sizes = await reading()
  })
  const trace = makeTrace()
  const append = await codeOf(async () => {
    const store = await openSqliteStore({ directory })
    await store.append(trace, endOf([]), makeChain({ trace, count: 1 }))
  })
  const artifact = await codeOf(async () => {
    const store = await openSqliteStore({ directory, readonly: true })
    await store.putArtifact(Uint8Array.of(1))
  })
  const key = await codeOf(() => openKeyring(directory).create('anna'))
  return { read, sizes, append, artifact, key }
}

console.log(JSON.stringify(await (hardship === 'full' ? fullDisk() : nothingWritable())))
