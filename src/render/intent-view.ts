// An intended call as the person who is asked about it must see it: the file, command or address first, and
// what would happen to it; a write as its change; then the reason, the risk, which rule requires a person,
// and the verdicts of other critics. Nothing of what is approved is shortened.

import { councilReasons, judgesOf, opinionOf, reasonsOf } from '../agents/critics.ts'
import type { Pending } from '../agents/result.ts'
import type { Intent, SessionState } from '../agents/state.ts'
import type { CriticSeat } from '../agents/task.ts'
import { actOf, type CallInWords } from './call-words.ts'
import { block, diffPaint, type Layout, plain, plainJson, wrap } from './plain.ts'

export const fieldOf =
  ({ paint, width }: Layout) =>
  (name: string, words: string): string =>
    `  ${paint.dim(name.padEnd(8))}  ${wrap(plain(words), 12, width)}`

type Shown = Pick<Pending, 'diff' | 'exists' | 'about_tool' | 'folder'>

const counted = (diff: readonly string[], mark: string): number =>
  diff.filter((line) => line.startsWith(mark)).length

const lineCount = (count: number): string => `${count} line${count === 1 ? '' : 's'}`

/** What happens to a file, with how many lines are removed and added. */
function fileWords({ verb }: CallInWords, { diff, exists }: Shown): string {
  if (verb === 'read' || verb === 'list') return verb
  if (diff?.length === 0) return 'no change: the file is like this already'
  const [out, into] = [counted(diff ?? [], '-'), counted(diff ?? [], '+')]
  const lines = diff ? `: ${out > 0 ? `${lineCount(out)} out, ` : ''}${lineCount(into)} in` : ''
  if (exists === false) return `create${lines}`
  if (verb === 'change') return `change${lines}`
  return exists === true ? `overwrite${lines}` : 'create or overwrite'
}

const RISK_LABEL = 'risk: destroys'

function effectText(act: CallInWords, intent: Intent, shown: Shown): string {
  const destroys = (intent.assessment?.reasons ?? []).some((reason) => reason.startsWith(RISK_LABEL))
  if (intent.tool.startsWith('files.')) return fileWords(act, shown)
  const deletes = destroys || act.verb === 'DELETE'
  return deletes ? `${act.verb}, and delete` : act.verb
}

/** A folder of the workspace, with its location where that is known. */
const inFolder =
  (workspace: string | null) =>
  ([name, words]: readonly [string, string]): readonly [string, string] =>
    name === 'folder' && workspace !== null
      ? [name, words === '.' ? workspace : `${workspace}/${words}`]
      : [name, words]

/** Where a command runs and what it gets of the environment, according to its tool. */
function contextLines(intent: Intent, { about_tool }: Shown, sheet: Layout): readonly string[] {
  if (!intent.tool.startsWith('shell.') || !about_tool) return []
  const field = fieldOf(sheet)
  const where = /(?:NOT confined|in a sandbox).*$/.exec(about_tool)?.[0] ?? about_tool
  const confined = field('runs', where)
  return [
    where.startsWith('NOT') ? sheet.paint.red(confined) : confined,
    field('environ', 'PATH, HOME, LANG, TERM and TMPDIR, made for it; nothing of yours'),
  ]
}

const NEEDS = {
  none: 'the policy alone',
  critic: 'a critic, and you are the only one',
  human: 'a person',
} as const

/** Which rule requires a person, and why. */
function deciderText({ assessment }: Intent, { task }: SessionState): string {
  if (!assessment) return 'the policy was not asked'
  const { needs, deciding } = assessment
  const named = task ? judgesOf(task, assessment).filter(({ kind }) => kind !== 'policy') : []
  const isNamed = task?.roles.critics.some(({ kind }) => kind === 'human') ?? false
  const decider =
    needs === 'critic' && (isNamed || named.length > 1) ? 'the critics of the task' : NEEDS[needs]
  const rules = deciding.length > 0 ? deciding.map(plain).join(', ') : 'no rule permits it otherwise'
  return `${decider}, by ${rules}`
}

function seatOpinion(seat: CriticSeat, intent: Intent, state: SessionState): string | null {
  if (seat.kind === 'council') {
    const council = intent.council?.heard
    return council
      ? `council: ${council.decision ?? 'no decision'}. ${councilReasons(council).join('; ')}`
      : null
  }
  const opinion = opinionOf(state, intent.id, seat.seat, intent.round)
  if (opinion === undefined) return null
  const verdict = opinion === 'failed' ? 'no answer' : opinion.verdict
  return `${seat.seat}: ${verdict}. ${reasonsOf(opinion).join('; ')}`
}

const criticsLines = (intent: Intent, state: SessionState, sheet: Layout): readonly string[] =>
  (state.task?.roles.critics ?? [])
    .map((seat) => seatOpinion(seat, intent, state))
    .filter((words) => words !== null)
    .map((words) => fieldOf(sheet)('critic', words))

const RISK_WORDS: Readonly<Record<string, string>> = {
  unconfined: 'it is not confined',
  privilege: 'it takes the rights of another user',
  'private-host': 'it reaches into the local network',
  'destroys-outside': 'it deletes outside of the workspace',
  destroys: 'it deletes',
  outside: 'it touches what lies outside of the workspace',
  credentials: 'it touches credentials',
  'runs-later': 'what it writes is run later, outside of every sandbox',
  sends: 'it sends data away',
  'executes-with-network': 'it runs a program that has the network',
  unknown: 'what the tool does is not stated',
  'any-code': 'it can run any code',
  fetches: 'it uses the network',
  executes: 'it runs a program',
  writes: 'it writes',
}

function riskWords({ assessment, risk }: Intent): string {
  const reasons = (assessment?.reasons ?? []).map((reason) => {
    const rule = reason.startsWith('risk: ') ? reason.slice('risk: '.length) : null
    return rule === null ? reason : (Object.hasOwn(RISK_WORDS, rule) && RISK_WORDS[rule]) || rule
  })
  return `${assessment?.risk ?? risk}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`
}

function heading(intent: Intent, act: CallInWords | null, what: string, { paint }: Layout): string {
  const target = act ? plain(act.target) : plain(intent.tool)
  return `${paint.bold(target)}  ${what}`
}

/** `cutOff`: the outcome of an interrupted call. */
export function intentLines(
  intent: Intent,
  shown: Shown,
  state: SessionState,
  sheet: Layout,
  cutOff: string | null = null,
): readonly string[] {
  const { paint } = sheet
  const field = fieldOf(sheet)
  const { id, tool, input, justification, proposal } = intent
  const act = actOf(tool, input)
  const what = cutOff ?? (act ? effectText(act, intent, shown) : 'call')
  const isShown = act?.isWhole === true || (shown.diff ?? null) !== null
  return [
    heading(intent, act, cutOff === null ? `${paint.yellow(`→ ${plain(what)}`)}` : plain(what), sheet),
    ...(shown.diff ?? []).map((line) => `    ${diffPaint(line, paint)(plain(line))}`),
    ...(isShown ? [] : block(input === null ? 'erased' : plainJson(input, 2), '    ')),
    field('call', `${id} ${tool}`),
    ...(act?.more ?? [])
      .map(inFolder(shown.folder ?? null))
      .flatMap(([name, words]) =>
        words.includes('\n') ? [field(name, ''), ...block(words, '    ')] : [field(name, words)],
      ),
    ...contextLines(intent, shown, sheet),
    field('why', justification),
    field('for', state.proposals.get(proposal)?.plan.objective ?? ''),
    field('risk', riskWords(intent)),
    field('asked by', deciderText(intent, state)),
    ...criticsLines(intent, state, sheet),
  ]
}

/** Everything that an approval is bound to, as recorded. */
export function intentDetails(
  intent: Intent,
  { task, trace }: SessionState,
  sheet: Layout,
): readonly string[] {
  const field = fieldOf(sheet)
  const reasons = intent.assessment?.reasons ?? []
  return [
    field('trace', trace),
    field('input', ''),
    ...block(intent.input === null ? 'erased' : plainJson(intent.input, 2), '    '),
    field('SHA-256', 'of all that the approval is bound to:'),
    field('  input', intent.inputHash),
    field('  tool', intent.definition),
    field('  intent', intent.hash),
    field('  policy', task?.policy.hash ?? ''),
    ...(reasons.length > 0 ? [field('rules', reasons.join('; '))] : []),
    field('expires', '15 minutes after you approve, unless you set another time'),
  ]
}
