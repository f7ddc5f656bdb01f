// A review whose context is asked about in three parts, for every seat alike.

import type * as council from './all-of-council.ts'
import { askedFinding, opinionAnswer } from './council-answers.ts'
import { type Question, type ScriptedReply, Sitting } from './council-sitting.ts'

export const FILES = ['src/a.ts', 'src/b.ts', 'src/c.ts']
export const PARTS: council.PackText['parts'] = [
  { name: 'context', text: 'three files' },
  ...FILES.map((path, i) => ({
    name: `context:${path}`,
    text: `code of ${path}\n`.repeat(40),
    portion: i + 1,
  })),
]
export const context: council.ContextRecord = {
  kind: 'full',
  files: FILES.map((path) => ({ path, lines: 40, bytes: 800 })),
  excluded: {},
  bytes: 2_400,
  tokens: 600,
  diff: null,
}

export const partOf = ({ action }: Question): string => /\/p(\d)/.exec(action)?.[1] ?? ''

export function openInParts(
  says: (question: Question) => ScriptedReply | undefined,
  more: Partial<council.CouncilOpened> = {},
  named: { readonly trace?: string } = {},
): Sitting {
  const sitting = new Sitting({ pack: { parts: PARTS, condensed: [] }, says, ...named })
  const pack = sitting.keep('pack.json', { parts: PARTS, condensed: [] })
  return sitting.open({ mode: 'review', context, portions: 3, artifacts: [pack], ...more })
}

/** Each part is answered in its own way. */
export const about = (question: Question): ScriptedReply | undefined =>
  question.round === 'R1'
    ? opinionAnswer('review', {
        stance: partOf(question) === '2' ? 'reject' : 'adopt',
        confidence: partOf(question) === '3' ? 'medium' : 'high',
        findings: [askedFinding({ file: `src/${'abc'[Number(partOf(question)) - 1]}.ts` })],
      })
    : undefined
