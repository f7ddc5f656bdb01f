import { expect, it } from 'vitest'
import { openPorts } from '../../../test/support/ports.ts'
import { DEFAULT_POLICY } from '../../council/policy.ts'
import { MemoryStore } from '../../stores/memory.ts'
import type { RunKit } from '../home/signers.ts'
import { beginCouncil } from './council.ts'

it('COU-X-4 a council under a given name does not read registry events again that were read before', async () => {
  const store = new MemoryStore()
  const { ports, registrar } = await openPorts(store)
  await registrar.register('connie', ['convener'], ports.key('connie').publicKey)
  const runKit: RunKit = {
    ports,
    registerSigners: async () => registrar,
    openEmbedder: () => Promise.reject(new Error('no encoder here')),
  }
  const reads: string[] = []
  const read = store.read.bind(store)
  store.read = (trace, ...rest) => {
    reads.push(trace)
    return read(trace, ...rest)
  }
  const seats = ['ada', 'ben'].map((seat) => ({
    seat,
    provider: seat,
    vendor: seat,
    model: null,
    roles: ['participant', 'chair'] as const,
    embedded: false,
  }))
  const convening = {
    question: 'Shall we?',
    mode: 'ask',
    constraints: [],
    seats,
    chairs: ['ada'],
    labelled: false,
    policy: DEFAULT_POLICY,
    context: null,
    follow: null,
  } as const
  const trace = '01KE0000000000000000000009'
  const held = await beginCouncil(runKit, convening, { convener: 'connie', seats: new Map(), trace })
  expect(held.trace).toBe(trace)
  expect(reads).not.toContain(registrar.trace)
})
