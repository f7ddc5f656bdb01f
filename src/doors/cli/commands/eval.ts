// The commands that measure the value of a council.

import type { Command } from '../command.ts'
import { QUEUE } from './queue.ts'
import { FORCE, RESULT_FILE, TIMEOUT, YES } from './run-options.ts'

export const EVAL_COMMANDS = [
  {
    name: 'eval',
    about: 'measure on a set of questions whether the council is worth its cost',
    args: [{ name: 'SET' }],
    options: [
      {
        name: 'arms',
        value: 'LIST',
        repeated: true,
        about:
          'what is compared: council, council-no-r2, council-short, council:SEATx3, single, single:SEAT, plain:SEAT, vote, vote:SEAT, vote:SEATxN (default: council,single,vote)',
      },
      { name: 'primary', value: 'ARM:ARM', about: 'the comparison of the verdict (default: council:vote)' },
      { name: 'plan', about: 'ask no model: say calls, cost and the smallest difference it could show' },
      { name: 'budget', value: 'USD', about: 'start no more items once this much is spent' },
      { name: 'limit', value: 'N', about: 'ask N items only, drawn from the whole set' },
      { name: 'repeat', value: 'K', about: 'ask each item K times' },
      { name: 'stability', value: 'N', about: 'hold N councils again, with the seats in another order' },
      {
        name: 'grader',
        value: 'HOW',
        about: 'for items that name none: exact, numeric, contains, model:SEAT …',
      },
      { name: 'concurrency', value: 'N', about: 'how many items at once (default: 4)' },
      { name: 'seats', value: 'LIST', repeated: true, about: 'the seats, as in `witan council`' },
      { name: 'chair', value: 'SEAT', about: 'who writes the reports' },
      {
        name: 'regrade',
        value: 'TRACE',
        about: 'grade a finished evaluation again by this set; no model is asked',
      },
      { name: 'require', value: 'VERDICT', choices: ['better'], about: 'exit 9 unless the verdict is this' },
      TIMEOUT,
      YES,
      ...QUEUE,
      RESULT_FILE,
      FORCE,
    ],
    notes:
      'SET is JSON Lines (id, input, target, choices, grader, cluster, mode, files), CSV, or a file of GSM8K or BIG-Bench ' +
      'Hard. Every item is its own council; arms share its first round, so that singles and votes cost nothing extra. ' +
      '`vote:SEAT` asks one seat as often as the council’s cost buys.\n' +
      '`witan resume` continues a killed evaluation; nothing is paid for twice. -o FILE.html writes a page, -o FILE.json ' +
      'the data. Public sets may have been trained on: see docs/eval.md.',
    examples: [
      ['eval --plan questions.jsonl', 'what it would ask and cost'],
      ['eval questions.jsonl --limit 50 --budget 5 -o worth.html', 'council against singles and vote'],
      [
        'eval questions.jsonl --primary council:vote:claude',
        'against one model asked as often for the same cost',
      ],
      ['eval mended.jsonl --regrade last:eval', 'grade again, without a model'],
    ],
  },
  {
    name: 'outcome',
    about: 'record how a decision turned out; doctor then shows how often each seat was right',
    args: [{ name: 'TRACE' }, { name: 'right|wrong|NOTE', repeated: true }],
    options: [],
    notes:
      'Recorded as a signed trace of its own; the last word on a council counts. A seat was right when it held what turned ' +
      'out right, no matter what the council decided.',
    examples: [
      ['outcome last:council right', 'it was'],
      ['outcome 01M7NW "wrong: the migration took a week"', 'with a note'],
    ],
  },
] as const satisfies readonly Command[]
