// `witan eval`: from a set to a verdict.

import { policyOf } from '../../../app/council/plan.ts'
import { namedSeating, worldHere } from '../../../app/council/seating.ts'
import { openEval, regradeEval } from '../../../app/eval/eval.ts'
import { estimateEval, planEval } from '../../../app/eval/plan-eval.ts'
import { readSetFile } from '../../../app/eval/set-file.ts'
import { openOrCreateHome, personName, runKitOf } from '../../../app/home/signers.ts'
import { NO_PERSON } from '../../../app/person.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { planLines } from '../../../render/eval/plan-lines.ts'
import { type Call, locationOf, type Outcome, parseCount, usage, type Verb } from '../command.ts'
import { driveEval, follow } from '../eval/running.ts'
import { checkOutputs, checkQueueing, queueTrace, requireQueue } from '../run-trace.ts'
import { personAt, readSettings, saysYes, tellRemoved } from '../terminal.ts'
import { readList, readMoney } from './council.ts'

const USUAL_CONCURRENCY = 4

function countOf(call: Call, name: string, usual: number, most: number): number {
  const text = call.text(name)
  const n = text === null ? usual : parseCount(text, `--${name}`)
  if (n <= most && (n > 0 || usual === 0)) return n
  throw usage(
    `--${name} is a number from ${usual === 0 ? 0 : 1} to ${most}`,
    `Try --${name} ${Math.max(usual, 1)}.`,
  )
}

function budgetOf(call: Call): number | null {
  const text = call.text('budget')
  if (text !== null && !/^\$?\d{1,7}(\.\d{1,6})?$/.test(text))
    throw usage(`--budget is an amount in US dollars, not '${text}'`, 'Give it like 0.50 or 2.')
  return readMoney(text)
}

const wishOf = (call: Call) => ({
  arms: readList(call.texts('arms')),
  primary: call.text('primary'),
  repeat: countOf(call, 'repeat', 1, 100),
  stability: countOf(call, 'stability', 0, 20_000),
  budget: budgetOf(call),
  concurrency: countOf(call, 'concurrency', USUAL_CONCURRENCY, 256),
})

async function regrade(call: Call, name: string): Promise<Outcome> {
  const set = await readSetFile(call.args[0] ?? '', { grader: call.text('grader') })
  tellRemoved(set.removed, call)
  const home = await openOrCreateHome(locationOf(call))
  try {
    const trace = await findTrace(home.store, name)
    const protocol = (await home.store.head(trace))?.header.protocol
    if (protocol !== 'eval/1') throw usage(`${trace} is no evaluation`, 'See `witan list`.')
    return await driveEval(await regradeEval(runKitOf(home), trace, set, personName()), call)
  } finally {
    await home.close()
  }
}

export const evaluate: Verb = async (call) => {
  await checkOutputs(call)
  const regraded = call.text('regrade')
  if (regraded !== null) return regrade(call, regraded)
  checkQueueing(call)
  await requireQueue(call)
  const wish = wishOf(call)
  const limit = call.text('limit') === null ? null : countOf(call, 'limit', 1, 1_000_000)
  call.progress('Reading the set…')
  const set = await readSetFile(call.args[0] ?? '', { limit, grader: call.text('grader') })
  tellRemoved(set.removed, call)
  call.progress('Looking who is ready…')
  const settings = await readSettings(call)
  const seats = readList(call.texts('seats'))
  const seating = await namedSeating({ seats, chair: call.text('chair'), mode: 'ask' }, settings, worldHere())
  const plan = planEval(set, wish, seating)
  const estimate = await estimateEval(plan, seating)
  if (call.flag('plan')) return { value: estimate, lines: planLines(estimate, call) }
  await consented(call, planLines(estimate, call), seating.chosen)
  const home = await openOrCreateHome(locationOf(call))
  try {
    const table = {
      records: seating.records,
      chairs: seating.chairs,
      seats: seating.seats,
      policy: policyOf(settings.council, {}, seating),
      convener: personName(),
    }
    const evaluation = await openEval(runKitOf(home), plan, table)
    if (call.flag('queue')) return await queueTrace(home, evaluation.trace, call, follow)
    return await driveEval(evaluation, call)
  } finally {
    await home.close()
  }
}

/** Many paid calls need the confirmation of someone who has seen how many. */
async function consented(call: Call, lines: readonly string[], isChosen: boolean): Promise<void> {
  if (call.flag('yes')) return
  if (personAt(call) === NO_PERSON) {
    if (isChosen) return
    throw usage(
      'there is no terminal to ask on whether this may be spent',
      'Look with --plan; then give --yes, or name the seats with --seats.',
    )
  }
  process.stderr.write(`\r\u001b[2K${lines.join('\n')}\n\n`)
  if (!(await saysYes('Ask all of this? [y/N] ')))
    throw usage('nothing was sent', 'Take fewer items with --limit.')
}
