// The thread in which long texts are scanned for secrets. It reads nothing but what it is sent.

import { parentPort } from 'node:worker_threads'
import { cleanTexts, type Uncleaned } from './clean-texts.ts'
import { type Packed, packed } from './packed-removals.ts'

export interface Job {
  readonly job: number
  readonly texts: readonly Uncleaned[]
}

export interface Looked extends Packed {
  readonly job: number
}

const port = parentPort
port?.on('message', async ({ job, texts }: Job) => {
  const { table, ...rest } = packed(await cleanTexts(texts))
  const looked: Looked = { job, table, ...rest }
  port.postMessage(looked, [table.buffer])
})
