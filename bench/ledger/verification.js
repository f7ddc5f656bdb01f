// Verifying a trace against checking its signatures and nothing else, on the same number of threads.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { extract } from '../../dist/clerk/extract.js'
import { inquire } from '../../dist/ledger/verify/inquire.js'
import { sha256 } from '../../dist/stores/digest.js'
import { MemoryStore } from '../../dist/stores/memory.js'
import { examine } from '../../dist/stores/verify-answers.js'
import { answer, inTurns } from '../measure.js'
import { diary, note, settle } from './workbench.js'

const EVENTS = 10_000
const THREADS = availableParallelism()
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

const worker = `
const { parentPort, workerData } = require('node:worker_threads')
const { createPublicKey, verify } = require('node:crypto')
const key = createPublicKey({ key: Buffer.from(workerData), format: 'der', type: 'spki' })
parentPort.on('message', (items) => {
  let valid = 0
  for (const { message, signature } of items) if (verify(null, message, key, signature)) valid++
  parentPort.postMessage(valid)
})`

/** The bundle with bytes of its own, as one that comes from elsewhere: a process remembers headers that it made. */
function asRead(bundle) {
  const read = (section) => ({
    ...section,
    events: section.events.map(({ event, proof }) => ({
      event: { ...event, header: event.header.slice() },
      proof,
    })),
  })
  return { ...bundle, registry: read(bundle.registry), main: read(bundle.main) }
}

export async function verificationRows() {
  const store = new MemoryStore()
  const kit = await settle(store)
  const log = kit.newBook()
  while (log.size < EVENTS) await log.append(Array.from({ length: 250 }, (_, n) => note(kit.actor, n)))
  const bundle = asRead(await extract({ store, registrar: kit.registrar, sha256 }, log.trace))
  const trust = { keys: [kit.root.id], checkpoints: [] }
  const asked = inquire(sha256, bundle, trust).questions.signatures.slice(-EVENTS - 1, -1)
  const questions = asked.map(({ message, signature }) => ({ message, signature }))

  const der = Buffer.concat([SPKI, kit.ann.publicKey])
  const workers = Array.from({ length: THREADS }, () => new Worker(worker, { eval: true, workerData: der }))
  const share = Math.ceil(questions.length / THREADS)
  const ask = (thread, items) =>
    new Promise((resolve) => {
      thread.once('message', resolve)
      thread.postMessage(items)
    })

  const rates = await inTurns({
    ours: {
      run: async () => {
        const report = await examine(bundle, store, trust, [diary])
        if (report.status !== 'pass') throw new Error(JSON.stringify(report.failures.slice(0, 3)))
        return EVENTS
      },
    },
    floor: {
      run: async () => {
        const parts = workers.map((thread, i) => ask(thread, questions.slice(i * share, (i + 1) * share)))
        const valid = (await Promise.all(parts)).reduce((a, b) => a + b)
        if (valid < EVENTS - 1) throw new Error(`${valid} of ${EVENTS} signatures verified`)
        return EVENTS
      },
    },
  })
  for (const thread of workers) await thread.terminate()
  return [
    answer({
      question: `verify 10,000 events against their signatures alone by node:crypto, ${THREADS} threads, rate`,
      ours: 'ours',
      floor: 'floor',
      rates,
      atLeast: 1.6,
    }),
  ]
}
