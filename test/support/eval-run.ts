// A whole evaluation over loopback models, in memory or in a storage that is given: the real protocols, seats and wire.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Evaluation, openEval } from '../../src/app/eval/eval.ts'
import type { EvalTable } from '../../src/app/eval/evaluated-council.ts'
import { type EvalPlanRequest, planEval } from '../../src/app/eval/plan-eval.ts'
import { readSetFile, type SetFile } from '../../src/app/eval/set-file.ts'
import { inStore, runKitIn, type Storage } from '../../src/app/storage.ts'
import type { SeatRecord } from '../../src/council/events.ts'
import { DEFAULT_POLICY } from '../../src/council/policy.ts'
import { type EvalReport, reportOf } from '../../src/eval/report.ts'
import { seatAt } from './council-run.ts'

const tableAt = (url: string, names: readonly string[]): EvalTable => ({
  records: names.map(
    (seat, i): SeatRecord => ({
      seat,
      provider: seat,
      vendor: seat,
      model: seat,
      roles: i === 0 ? ['participant', 'chair'] : ['participant'],
      embedded: false,
    }),
  ),
  chairs: names.slice(0, 1),
  seats: new Map(names.map((name) => [name, seatAt(url, name)])),
  policy: DEFAULT_POLICY,
  convener: 'tester',
})

async function setFrom(text: string): Promise<SetFile> {
  const file = join(await mkdtemp(join(tmpdir(), 'witan-eval-')), 'set.jsonl')
  await writeFile(file, text)
  return readSetFile(file)
}

const WISH: EvalPlanRequest = {
  arms: [],
  primary: null,
  repeat: 1,
  stability: 0,
  budget: null,
  concurrency: 4,
}

export interface EvalHeld {
  readonly storage: Storage
  readonly evaluation: Evaluation
  readonly report: EvalReport
}

export async function openAt(
  storage: Storage,
  url: string,
  names: readonly string[],
  set: string,
  wish: Partial<EvalPlanRequest> = {},
): Promise<Evaluation> {
  const table = tableAt(url, names)
  const plan = planEval(await setFrom(set), { ...WISH, ...wish }, { records: table.records, panel: false })
  return openEval(runKitIn(storage), plan, table)
}

export async function evaluate(
  url: string,
  names: readonly string[],
  set: string,
  wish: Partial<EvalPlanRequest> = {},
): Promise<EvalHeld> {
  const storage = await inStore()
  const evaluation = await openAt(storage, url, names, set, wish)
  await evaluation.drive()
  return { storage, evaluation, report: reportOf(evaluation.state) }
}
