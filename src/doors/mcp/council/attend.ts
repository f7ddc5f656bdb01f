// A host's call while a council runs: each step is reported as progress, and the call returns what there is to say
// then.

import type { Answer, Session } from '../tool.ts'
import { promptForHost, reportOf, standingOf, stepOf } from './council-answer.ts'
import type { HeldCouncil } from './held-council.ts'
import { wordsTo } from './live-words.ts'

const LOOK_MS = 10_000

/** What there is to say now: to answer, to read, or to wait for. */
export function currentAnswer(sitting: HeldCouncil): Answer {
  sitting.check()
  const [errand] = sitting.host.errands
  if (errand) return promptForHost(sitting.trace, errand)
  const answer = sitting.isOver ? reportOf(sitting.state) : standingOf(sitting.trace, sitting.state)
  const { estimate } = sitting
  return estimate === null ? answer : { ...answer, value: { ...answer.value, estimate } }
}

/** Reports each step, and regularly that it still runs, so that a host with a time limit starts counting again. */
export async function attend(
  sitting: HeldCouncil,
  session: Session,
  ms: number,
  isEnough: () => boolean,
): Promise<void> {
  const deaf = sitting.listen((event) => {
    const step = stepOf(event)
    if (step !== null) session.progress(`${sitting.trace} ${step}`)
  })
  const unheard = sitting.hearWords(wordsTo((line) => session.progress(`${sitting.trace} ${line}`)))
  const end = performance.now() + ms
  try {
    while (!sitting.isOver && !isEnough() && !session.signal.aborted && performance.now() < end) {
      await sitting.until(isEnough, Math.min(LOOK_MS, end - performance.now()), session.signal)
      if (!sitting.isOver && !isEnough()) session.progress(`${sitting.trace} is under way`)
    }
  } finally {
    deaf()
    unheard()
  }
}

export const isHostAwaited = (sitting: HeldCouncil) => () => sitting.host.errands.length > 0

/** Waits for the end, or for a prompt that the host's own model is to answer; a host that cancels stops it. */
export async function waitForAnswer(sitting: HeldCouncil, session: Session, wait = true): Promise<Answer> {
  session.progress(`${sitting.trace} is opened`)
  if (!wait) return currentAnswer(sitting)
  await attend(sitting, session, Number.POSITIVE_INFINITY, isHostAwaited(sitting))
  if (session.signal.aborted) await sitting.stop()
  return currentAnswer(sitting)
}
