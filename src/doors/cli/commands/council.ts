// The commands that ask a council.

import type { Command, Option } from '../command.ts'
import { QUEUE } from './queue.ts'
import { FAIL_ON, FORMAT, FULL, RESULT, TIMEOUT, YES } from './run-options.ts'

const CONTEXT: Option = {
  name: 'context',
  value: 'PATH',
  repeated: true,
  about: 'a file or folder to show to the council',
}
const DIFF: Option = { name: 'diff', value: 'RANGE', about: 'a change to show to it, as a git range' }

const TABLE: readonly Option[] = [
  {
    name: 'seats',
    value: 'LIST',
    repeated: true,
    about: 'the seats: claude,openai:MODEL,local or embedded',
  },
  { name: 'panel', value: 'NAME', about: 'a saved panel: seats, chair and limits from the settings' },
  { name: 'chair', value: 'SEAT', about: 'who writes the report' },
  { name: 'labelled', about: 'tell reviewers who said what' },
  { name: 'short-circuit', about: 'skip rounds where the settings allow it' },
  { name: 'max-cost', value: 'USD', about: 'make no more calls once this much is spent' },
  TIMEOUT,
  { name: 'constraint', value: 'TEXT', repeated: true, about: 'something that must hold' },
  { name: 'focus', value: 'TEXT', repeated: true, about: 'something to focus on' },
  {
    name: 'parts',
    value: 'N',
    about: 'in how many parts round one may be asked where one prompt is too long',
  },
  { name: 'preview', about: 'show what would be sent and who gets it, and send nothing' },
  YES,
  { name: 'follow', value: 'TRACE', about: 'ask a follow-up question about a finished council' },
  FAIL_ON,
  FORMAT,
  FULL,
  ...RESULT,
  ...QUEUE,
]

const NOTES =
  'Without --seats and without settings, every model that is ready is asked; see `witan doctor`. ' +
  'If none is ready there are checks only, no model is asked, and the report says so.\n' +
  'Exit code 4: too few answered, and what there is was printed; 9: the gate of --fail-on is closed.'

export const COUNCIL_COMMANDS = [
  {
    name: 'ask',
    about: 'ask a council a question and get one report',
    args: [{ name: 'QUESTION', optional: true }],
    options: [CONTEXT, DIFF, ...TABLE],
    notes: `With QUESTION, piped input is shown to the council; without QUESTION, it is the question.\n${NOTES}`,
    examples: [
      ['ask "Shall we move to SQLite?" --context README.md', 'asks every model that is ready'],
      ['ask "Why does this fail?" < build.log', 'with what is piped in as context'],
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
      ['review src/server.ts', 'a file as it is now'],
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
    notes: `With QUESTION, piped input is shown to the council; without QUESTION, it is the question.\n${NOTES}`,
    examples: [
      [
        'council "Event sourcing for orders?" --mode architecture --context docs',
        'adopt, reject or need-info',
      ],
    ],
  },
] as const satisfies readonly Command[]
