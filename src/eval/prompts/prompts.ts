// The prompts in addition to the councils': one seat alone, and a model that compares an answer with the
// known one. Prompts are functions of the set and the record, so that a verifier builds each again. A grader
// learns neither the arm nor which of the two answers is the known one, and is asked in both orders.

import { type Sha256, toHex, utf8 } from '../../ledger/bytes.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import { closed, type JsonSchema, oneOf, text } from '../../ledger/schema.ts'
import { type Fence, fenced, promptSeed } from '../../ledger/text/fence.ts'
import type { WantedValue } from '../../reply/wanted.ts'
import { answerWords } from '../grading/read-final-answer.ts'
import { type Item, letterOf } from '../sets/item.ts'
import { JUDGE_INSTRUCTIONS, JUDGE_SYSTEM, SAMPLE_SYSTEM } from './words.ts'

export interface EvalRequest {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema | null
}

/** What every arm is asked, in the same words. */
export const questionOf = ({ input, choices }: Item): string =>
  choices.length === 0
    ? input
    : `${input}\n\n${choices.map((choice, i) => `(${letterOf(i)}) ${choice}`).join('\n')}`

/** The constraints of a council, in addition to the question. */
export const constraintsOf = (item: Item): readonly string[] => {
  const words = answerWords(item)
  return words === null ? [] : [words]
}

function ownPart(sha256: Sha256, name: string, words: string): PromptPart {
  const hash = toHex(sha256(utf8(words)))
  return { name, text: words, quotes: null, template: { id: `eval/1 ${name}`, hash } }
}

interface Setting {
  readonly sha256: Sha256
  /** Recorded at the opening. */
  readonly seed: string
  readonly trace: string
  readonly action: string
  /** Hash of the set. */
  readonly set: string
}

const fenceOf = ({ sha256, seed, trace, action }: Setting): Fence => ({
  sha256,
  seed: promptSeed(seed, trace, action),
})

/** One seat alone, in plain text. */
export function sampleRequest(setting: Setting, item: Item): EvalRequest {
  const quotes = { kind: 'artifact', id: setting.set } as const
  const fence = fenceOf(setting)
  const files = item.files.map(({ path, text: words }, i) => ({
    name: `file/${i + 1}`,
    text: `${JSON.stringify(path)}\n${fenced(fence, 'file', `file ${i + 1}`, words)}`,
    quotes,
    template: null,
  }))
  const format = answerWords(item)
  return {
    system: SAMPLE_SYSTEM,
    parts: [
      ...files,
      { name: 'question', text: questionOf(item), quotes, template: null },
      ...(format === null ? [] : [ownPart(setting.sha256, 'instructions', format)]),
    ],
    schema: null,
  }
}

const JUDGEMENT = closed({
  reason: text(),
  verdict: oneOf(['same', 'different', 'unsure']),
})

export const WANTED_JUDGEMENT: WantedValue = {
  form: 'value',
  schema: JUDGEMENT,
  rules: {
    reason: { default: '' },
    verdict: {
      words: {
        same: ['equal', 'equivalent', 'identical', 'yes', 'match'],
        different: ['not the same', 'no', 'other', 'differs'],
        unsure: ['unclear', 'unknown', 'cannot tell'],
      },
    },
  },
  says: [],
  bare: [],
  acts: false,
  wrappers: ['judgement', 'judgment', 'verdict'],
  prose: null,
}

/** `order` first: the known answer comes first. */
export function judgeRequest(
  setting: Setting,
  item: Item,
  answer: string,
  order: 'first' | 'second',
): EvalRequest {
  const fence = fenceOf(setting)
  const quotes = { kind: 'artifact', id: setting.set } as const
  const known = { words: item.target.join('\n'), quotes }
  const candidate = { words: answer, quotes: null }
  const [firstAnswer, secondAnswer] = order === 'first' ? [known, candidate] : [candidate, known]
  return {
    system: JUDGE_SYSTEM,
    parts: [
      {
        name: 'question',
        text: fenced(fence, 'question', 'question', questionOf(item)),
        quotes,
        template: null,
      },
      {
        name: 'answers',
        text: fenced(fence, 'answer', 'first answer', firstAnswer.words),
        quotes: firstAnswer.quotes,
        template: null,
      },
      {
        name: 'answers',
        text: fenced(fence, 'answer', 'second answer', secondAnswer.words),
        quotes: secondAnswer.quotes,
        template: null,
      },
      ownPart(setting.sha256, 'instructions', JUDGE_INSTRUCTIONS),
    ],
    schema: JUDGEMENT,
  }
}
