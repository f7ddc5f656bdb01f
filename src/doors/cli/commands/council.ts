// The commands that put something before a council.

import type { Command, Option } from '../command.ts'
import { FAIL_ON, FORMAT, RESULT, YES } from './run-options.ts'

const CONTEXT: Option = {
  name: 'context',
  value: 'PATH',
  repeated: true,
  about: 'a file or folder to lay before the council',
}
const DIFF: Option = { name: 'diff', value: 'RANGE', about: 'a change to lay before it, as git names it' }

const TABLE: readonly Option[] = [
  {
    name: 'seats',
    value: 'LIST',
    repeated: true,
    about: 'who sits there: claude,openai:MODEL,local or embedded',
  },
  { name: 'chair', value: 'SEAT', about: 'who writes the report' },
  { name: 'labelled', about: 'tell reviewers who said what' },
  { name: 'short-circuit', about: 'skip rounds where the settings allow it' },
  { name: 'max-cost', value: 'USD', about: 'ask nobody more once this much is spent' },
  { name: 'constraint', value: 'TEXT', repeated: true, about: 'something that must hold' },
  { name: 'focus', value: 'TEXT', repeated: true, about: 'something to look at above all' },
  { name: 'preview', about: 'show what would be sent to whom, and send nothing' },
  YES,
  { name: 'follow', value: 'TRACE', about: 'ask further about a finished council' },
  FAIL_ON,
  FORMAT,
  ...RESULT,
]

const NOTES =
  'With nobody named and nothing configured, whoever is ready sits down; see `witan doctor`. ' +
  'With nobody ready there are checks only, no model is asked, and the report says so.\n' +
  'Exit code 4: too few answered, and what there is was printed; 9: the gate of --fail-on is closed.'

export const COUNCIL_COMMANDS = [
  {
    name: 'ask',
    about: 'put a question before a council and get one report',
    args: [{ name: 'QUESTION', optional: true }],
    options: [CONTEXT, DIFF, ...TABLE],
    notes: `Without QUESTION it is read from standard input.\n${NOTES}`,
    examples: [
      ['ask "Shall we move to SQLite?" --context README.md', 'whoever is ready answers'],
      ['ask "What did we overlook?" --follow last', 'a follow-up'],
    ],
  },
  {
    name: 'review',
    about: 'have a change or files reviewed by a council',
    args: [{ name: 'RANGE|PATH', optional: true, repeated: true }],
    options: [CONTEXT, DIFF, ...TABLE],
    notes: `Without arguments: from where this branch left the main one to the working tree.\n${NOTES}`,
    examples: [
      ['review', 'what has changed on this branch'],
      ['review HEAD~3..HEAD --fail-on high --format sarif -o review.sarif', 'a gate for a pipeline'],
      ['review src/server.ts', 'a file as it stands'],
    ],
  },
  {
    name: 'council',
    about: 'the long form of ask and review, with a mode',
    args: [{ name: 'QUESTION', optional: true }],
    options: [
      {
        name: 'mode',
        value: 'MODE',
        choices: ['ask', 'architecture', 'review'],
        about: 'what kind of question it is: ask, architecture or review',
      },
      CONTEXT,
      DIFF,
      ...TABLE,
    ],
    notes: `Without QUESTION it is read from standard input.\n${NOTES}`,
    examples: [
      [
        'council "Event sourcing for orders?" --mode architecture --context docs',
        'adopt, reject or need-info',
      ],
    ],
  },
] as const satisfies readonly Command[]
