// A person's decision on a pending item, typed at the terminal: one letter, then the reason. Silence decides
// nothing: Enter and the end of the input mean later, an unknown word is asked for again, and a decision
// without a reason does not count, which is said.

import { createInterface, type Interface } from 'node:readline/promises'
import { type Conditions, type Plan, RISKS } from '../../../agents/task.ts'
import { APPROVAL_MINUTES, type Verdict } from '../../../app/agents/decide.ts'
import { plain } from '../../../render/plain.ts'

type Word = 'approve' | 'block' | 'conditions' | 'challenge' | 'failed' | 'again' | 'details' | 'later'

/** Key, what it does, and other words for it. */
type Choice = readonly [key: string, word: Word, label: string, ...others: readonly string[]]

const YES: Choice = ['y', 'approve', 'approve', 'yes', 'a']
const NO: Choice = ['n', 'block', 'block', 'no', 'b']
const DETAILS: Choice = ['d', 'details', 'details']

const CHOICES = {
  judge: [YES, NO, ['c', 'conditions', 'approve for a time'], DETAILS],
  review: [YES, NO, ['c', 'conditions', 'approve on conditions'], DETAILS],
  weigh: [['y', 'approve', 'accept', 'yes', 'a'], ['n', 'challenge', 'challenge', 'no', 'c'], DETAILS],
  resolve: [['f', 'failed', 'it counts as failed'], ['a', 'again', 'intend it again'], DETAILS],
} as const satisfies Readonly<Record<string, readonly Choice[]>>

/** What a person is asked about here. */
export type AskedKind = keyof typeof CHOICES

export const isAskedKind = (kind: string): kind is AskedKind => Object.hasOwn(CHOICES, kind)

/** Null when the input ends. */
function question(terminal: Interface, text: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(null)
    terminal.once('close', end)
    terminal
      .question(text)
      .then(resolve, reject)
      .finally(() => terminal.off('close', end))
  })
}

const tell = (...lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`${line}\n`)
}

async function askWord(terminal: Interface, kind: AskedKind): Promise<Word> {
  const choices: readonly Choice[] = CHOICES[kind]
  const offered = [...choices.map(([key, , label]) => `[${key}] ${label}`), '[Enter] later'].join('  ')
  for (;;) {
    const answer = (await question(terminal, `${offered}\n> `))?.trim().toLowerCase() ?? ''
    if (answer === '' || answer === 'l' || answer === 'later') return 'later'
    const choice = choices.find(([key, word, , ...others]) => [key, word, ...others].includes(answer))
    if (choice) return choice[1]
    tell(`'${plain(answer)}' is none of these; nothing was decided.`)
  }
}

const listOf = (text: string | null): readonly string[] =>
  (text ?? '').split(/[\s,]+/).filter((word) => word !== '')

/** Null, after saying why, where an answer cannot be accepted. */
async function askSelection(
  terminal: Interface,
  what: string,
  there: readonly string[],
): Promise<readonly string[] | null> {
  if (there.length === 0) return []
  const named = listOf(
    await question(terminal, `Only these ${what} (${there.map(plain).join(', ')}; Enter for all): `),
  )
  const unknownName = named.find((name) => !there.includes(name))
  if (unknownName === undefined) return named
  tell(`There is no '${plain(unknownName)}'; nothing was decided.`)
  return null
}

async function conditionsFrom(terminal: Interface, plan: Plan | null): Promise<Conditions | null> {
  const tools = await askSelection(terminal, 'tools', plan?.required_tools ?? [])
  if (tools === null) return null
  const steps = await askSelection(
    terminal,
    'steps',
    (plan?.steps ?? []).map(({ id }) => id),
  )
  if (steps === null) return null
  const typed = (
    await question(terminal, `Nothing riskier than (${RISKS.join(', ')}; Enter for any): `)
  )?.trim()
  const risk = RISKS.find((one) => one === typed)
  if (typed && !risk) {
    tell(`'${plain(typed)}' is no risk; nothing was decided.`)
    return null
  }
  if (tools.length + steps.length > 0 || risk)
    return {
      ...(tools.length > 0 && { tools }),
      ...(steps.length > 0 && { steps }),
      ...(risk && { max_risk: risk }),
    }
  tell('No condition was named; nothing was decided.')
  return null
}

const MOST_MINUTES = 24 * 60

async function minutesFrom(terminal: Interface): Promise<number | null> {
  const typed = (await question(terminal, `For how many minutes (Enter for ${APPROVAL_MINUTES})? `))?.trim()
  if (!typed) return APPROVAL_MINUTES
  const minutes = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  if (minutes >= 1 && minutes <= MOST_MINUTES) return minutes
  tell(`'${plain(typed)}' is no number of minutes from 1 to ${MOST_MINUTES}; nothing was decided.`)
  return null
}

interface Asking {
  readonly kind: AskedKind
  /** Of a proposal. */
  readonly plan: Plan | null
  /** Everything that the decision would be bound to, as lines. */
  readonly details: () => readonly string[]
}

type ApprovalLimits = Pick<Extract<Verdict, { as: 'approve' }>, 'minutes' | 'conditions'>

/** What an approval is also bound to; null where nothing was decided. */
async function askLimits(
  terminal: Interface,
  word: Word,
  { kind, plan }: Asking,
): Promise<ApprovalLimits | null> {
  if (word !== 'conditions') return { minutes: APPROVAL_MINUTES }
  if (kind === 'judge') {
    const minutes = await minutesFrom(terminal)
    return minutes === null ? null : { minutes }
  }
  const conditions = await conditionsFrom(terminal, plan)
  return conditions && { minutes: APPROVAL_MINUTES, conditions }
}

/** Null where nothing was decided, which was said, and the question is asked again. */
async function verdictFor(terminal: Interface, word: Word, asking: Asking): Promise<Verdict | null> {
  const bound = await askLimits(terminal, word, asking)
  if (bound === null) return null
  const reason = (await question(terminal, 'Reason (recorded permanently): '))?.trim()
  if (!reason) {
    tell('Nothing was decided: every decision is recorded with its reason.')
    return null
  }
  if (word === 'approve' || word === 'conditions') return { as: 'approve', ...bound, reason }
  if (word === 'challenge') return { as: word, ground: 'weak', reason }
  return word === 'failed' || word === 'again' ? { as: word, reason } : { as: 'block', reason }
}

async function askedAt(terminal: Interface, asking: Asking): Promise<Verdict | null> {
  for (;;) {
    const word = await askWord(terminal, asking.kind)
    if (word === 'later') return null
    if (word === 'details') {
      tell(...asking.details())
      continue
    }
    const verdict = await verdictFor(terminal, word, asking)
    if (verdict) return verdict
  }
}

/** Null where it is left for later. */
export async function verdictAt(asking: Asking): Promise<Verdict | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // The readline interface handles Ctrl-C itself; a person who presses it wants to leave.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await askedAt(terminal, asking)
  } finally {
    terminal.close()
  }
}
