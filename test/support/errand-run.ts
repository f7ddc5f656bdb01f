// Runs an errand from its first event to its last, with a real clerk.

import { Book } from '../../src/clerk/book.ts'
import { Clerk, type Perform, type RunEnd, type RunOptions } from '../../src/clerk/clerk.ts'
import type { Registrar } from '../../src/clerk/registrar.ts'
import type { Called } from '../../src/ledger/calls.ts'
import type { Draft } from '../../src/ledger/seal.ts'
import { type ErrandState, errand } from '../protocols/errand.ts'
import type { TestOffice } from './office.ts'

export type ErrandBook = Book<Called<ErrandState>>

export const OUTPUT = 'the licence is Apache-2.0\n'

export function performer(office: TestOffice, registrar: Registrar): Perform {
  return async (action): Promise<readonly Draft[]> => {
    const base = action.id.slice(0, action.id.lastIndexOf('/'))
    const say = (type: string, agent: string, role: string, payload: object): readonly Draft[] => [
      { type, actor: registrar.actor(agent, role), payload: { action: action.id, ...payload } },
    ]
    if (base.startsWith('ask/')) {
      return say('answer_given', 'sam', 'seat', {
        seat: action.input.seat,
        text: `answer of ${action.input.seat}`,
      })
    }
    if (base === 'intent')
      return say('tool_intent_signed', 'eve', 'executor', { tool: 'fetch', risk: 'high' })
    if (base === 'claim') {
      return say('claim_issued', 'eve', 'executor', {
        text: 'it is Apache-2.0',
        evidence: action.input.evidence,
      })
    }
    if (base === 'close') return say('errand_closed', 'aude', 'auditor', {})
    const { hash, size } = await office.vault.putArtifact(Buffer.from(OUTPUT))
    const artifacts = [{ hash, size, name: 'output.txt', media_type: 'text/plain' }]
    return say('tool_execution_completed', 'eve', 'executor', { artifacts })
  }
}

export async function openErrand(
  office: TestOffice,
  registrar: Registrar,
  seats = ['a', 'b', 'c'],
): Promise<ErrandBook> {
  const book = new Book(office, errand, office.newTrace())
  const payload = { question: 'Which licence?', seats }
  await book.append([{ type: 'errand_opened', actor: registrar.actor('paula', 'planner'), payload }])
  return book
}

export async function approve(book: ErrandBook, registrar: Registrar): Promise<void> {
  await book.refresh()
  const action = book.protocol.decide(book.state).find((candidate) => candidate.call === 'park')
  if (!action) throw new Error('nothing waits for approval')
  await book.append([
    { type: 'intent_approved', actor: registrar.actor('carl', 'critic'), payload: { action: action.id } },
  ])
}

export const runClerk = (
  office: TestOffice,
  registrar: Registrar,
  book: ErrandBook,
  options: RunOptions = {},
  perform: Perform = performer(office, registrar),
): Promise<RunEnd> => new Clerk(office, registrar, book, perform, options).run()

/** A whole errand: asked, intended, approved, executed, claimed, closed and checkpointed. */
export async function completeErrand(office: TestOffice, registrar: Registrar): Promise<ErrandBook> {
  const book = await openErrand(office, registrar)
  await runClerk(office, registrar, book)
  await approve(book, registrar)
  await runClerk(office, registrar, book)
  return book
}
