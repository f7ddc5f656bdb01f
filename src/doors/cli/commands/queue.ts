// The commands of the queue and its workers.

import type { Command, Option } from '../command.ts'
import { TRACE_NOTE } from './read.ts'
import { FAIL_ON, FORMAT, FULL, RESULT } from './run-options.ts'

/** Of every command that runs a trace. */
export const QUEUE: readonly Option[] = [
  { name: 'queue', about: 'let a worker run it (see `witan worker`), and print its trace at once' },
  { name: 'wait', about: 'with --queue: follow it to its end' },
  { name: 'tenant', value: 'NAME', about: 'with --queue: who shares the workers (default: your user name)' },
  { name: 'tag', value: 'TAG', about: 'with --queue: only a worker with this tag may run it' },
]

export const QUEUE_COMMANDS = [
  {
    name: 'wait',
    about: 'follow a trace that a worker runs, to its end',
    args: [{ name: 'TRACE' }],
    options: [FAIL_ON, FORMAT, FULL, ...RESULT],
    notes: `${TRACE_NOTE}\nCtrl-C leaves it running. Exit codes are those of the command that began it.`,
    examples: [['wait last', 'the same view as where it runs']],
  },
  {
    name: 'queue list',
    about: 'list what waits, runs, is parked or was set aside, and the workers',
    args: [],
    options: [{ name: 'all', about: 'what is done or cancelled too' }],
    examples: [['queue list', 'the queue as it is now']],
  },
  {
    name: 'queue cancel',
    about: 'take a trace out of the queue; what was recorded stays',
    args: [{ name: 'TRACE' }],
    options: [],
    notes: `${TRACE_NOTE}\nA worker that runs it is told to stop.`,
    examples: [['queue cancel last', 'no worker continues it until it is queued again']],
  },
  {
    name: 'queue retry',
    about: 'give a trace that was set aside or cancelled to the workers again',
    args: [{ name: 'TRACE' }],
    options: [],
    notes: TRACE_NOTE,
    examples: [['queue retry last', 'its failures are forgotten, what was recorded is not']],
  },
  {
    name: 'queue limit',
    about: 'limit what a tenant may use of the workers, or see what it uses',
    args: [{ name: 'TENANT' }],
    options: [
      { name: 'slots', value: 'N', about: 'how many of its traces run at once' },
      { name: 'spend', value: 'USD', about: 'start nothing more once this much was spent within a day' },
      { name: 'lift', about: 'lift its limits' },
    ],
    notes:
      'Tenants share the workers evenly in any case. Limits that are given replace those there were. What a trace cost counts ' +
      'whenever a worker lets go of it, as far as its prices are known.',
    examples: [
      ['queue limit ana --slots 4 --spend 20', 'four at once, twenty dollars a day'],
      ['queue limit ana', 'what ana may use, and uses'],
      ['queue limit ana --lift', 'no limits any more'],
    ],
  },
  {
    name: 'schedule add',
    about: 'schedule a run',
    args: [{ name: 'NAME' }, { name: 'CRON' }, { name: 'COMMAND', repeated: true }],
    options: [
      { name: 'timezone', value: 'ZONE', about: 'like Europe/Paris (default: UTC)' },
      { name: 'in', value: 'DIR', about: 'the folder it is begun in, on the worker' },
      { name: 'tenant', value: 'NAME', about: 'who shares the workers (default: your user name)' },
      { name: 'tag', value: 'TAG', about: 'only a worker with this tag may begin and run it' },
    ],
    notes:
      'CRON is minute, hour, day of month, month and weekday. COMMAND is ask, review, council, agents run, exchange run or eval, ' +
      'with its options after `--`. One worker begins it; what was missed while none was there is begun once.',
    examples: [
      [
        'schedule add nightly "0 3 * * *" --in /srv/shop --tag shop -- review --yes',
        'a review every night at three',
      ],
      [
        'schedule add audit "0 9 * * 1" -- ask "What did we put off?" --seats claude,openai',
        'every Monday at nine',
      ],
    ],
  },
  {
    name: 'schedule list',
    about: 'list schedules: the next run and the result of the last',
    args: [],
    options: [],
    examples: [['schedule list', 'all of them']],
  },
  {
    name: 'schedule remove',
    about: 'end a schedule; what it began stays',
    args: [{ name: 'NAME' }],
    options: [],
    examples: [['schedule remove nightly', 'it is no longer started']],
  },
  {
    name: 'worker',
    about: 'run traces from the queue until it is told to stop',
    args: [],
    options: [
      { name: 'concurrency', value: 'N', about: 'how many traces at once (default: 4)' },
      { name: 'tags', value: 'LIST', repeated: true, about: 'also run what needs one of these tags' },
      { name: 'name', value: 'NAME', about: 'what others see (default: host name and process)' },
      {
        name: 'listen',
        value: 'ADDRESS',
        about: 'answer /healthz, /readyz and /metrics there: PORT or HOST:PORT',
      },
      { name: 'grace', value: 'TIME', about: 'how long what runs may go on after SIGTERM (default: 30s)' },
    ],
    notes:
      'Needs a home whose ledger is in PostgreSQL; any number of workers on any machines share it. The first Ctrl-C or ' +
      'SIGTERM takes nothing new and hands over what is not finished in time; the second stops at once. Logs go to stderr, ' +
      'one JSON object a line.',
    examples: [
      ['worker', 'four traces at once'],
      ['worker --concurrency 16 --tags gpu', 'sixteen, and what needs the tag gpu'],
    ],
  },
] as const satisfies readonly Command[]
