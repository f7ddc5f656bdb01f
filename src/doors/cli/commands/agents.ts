// The commands of sessions in which agents act.

import { RISKS } from '../../../agents/task.ts'
import type { Command, Option } from '../command.ts'
import { QUEUE } from './queue.ts'
import { REASON, TIMEOUT, YES } from './run-options.ts'

const BY: readonly Option[] = [
  { name: 'by', value: 'NAME', about: 'who decides (default: your user name)' },
  { name: 'key', value: 'FILE', about: 'sign with this private key, made elsewhere, instead of one here' },
]
const SUBJECT = { name: 'INTENT', optional: true } as const
const WHO =
  'The person who runs a session can decide in it, as its policy requires; others need a key in the role critic: ' +
  'witan keys add NAME --role critic'

export const AGENTS_COMMANDS = [
  {
    name: 'agents run',
    about: 'run a task: every intent signed, every claim proven',
    args: [{ name: 'TASK' }],
    options: [
      TIMEOUT,
      YES,
      { name: 'checkpoint-out', value: 'FILE', about: 'save the checkpoint too: it shows later cuts' },
      { name: 'force', about: 'replace a file that is there already' },
      ...QUEUE,
    ],
    notes:
      'TASK is a file such as task.yaml; see examples/agents. Grants that it asks for take effect only after `witan trust`.\n' +
      'Models that it names are shown what its tools read: you are asked once for each folder and provider, unless you pass --yes.\n' +
      'Exit code 3: the audit failed; 5: no proposal succeeded; 8: it waits for a person, and says for which one.',
    examples: [['agents run task.yaml', 'from the plan to the audit']],
  },
  {
    name: 'agents pending',
    about: 'list pending decisions',
    args: [{ name: 'TRACE', optional: true }],
    options: [],
    examples: [['agents pending', 'in all sessions, with the commands that answer it']],
  },
  {
    name: 'agents approve',
    about: 'allow one intent, once; or a proposal, or a claim',
    args: [{ name: 'TRACE' }, SUBJECT],
    options: [
      REASON,
      { name: 'minutes', value: 'N', about: 'how long the approval holds (default: 15)' },
      { name: 'tool', value: 'NAME', repeated: true, about: 'of a proposal: only these tools' },
      { name: 'step', value: 'ID', repeated: true, about: 'of a proposal: only these steps' },
      { name: 'max-risk', value: 'RISK', choices: RISKS, about: 'of a proposal: nothing over this risk' },
      ...BY,
    ],
    notes: WHO,
    examples: [
      ['agents approve last p1-i2 --reason "read the diff"', 'this intent, with these arguments'],
      ['agents approve last p1 --tool files.read --reason "reading only"', 'a proposal, on conditions'],
      ['agents approve last p1-i2 --reason ok --key ana.pem', 'signed with a key brought along'],
    ],
  },
  {
    name: 'agents block',
    about: 'forbid one intent, or reject a proposal',
    args: [{ name: 'TRACE' }, SUBJECT],
    options: [REASON, ...BY],
    notes: WHO,
    examples: [['agents block last p1-i2 --reason "wrong host"', 'it goes back for revision']],
  },
  {
    name: 'agents challenge',
    about: 'challenge a claim that its evidence does not support',
    args: [{ name: 'TRACE' }, { name: 'CLAIM', optional: true }],
    options: [
      {
        name: 'ground',
        value: 'WHAT',
        choices: ['weak', 'contradicted'],
        about: 'weak (default), or contradicted',
      },
      REASON,
      ...BY,
    ],
    notes: `${WHO}\nWith a person among the critics a session waits for their decision on each claim.`,
    examples: [
      ['agents challenge last p1-c1 --reason "the quote is of another file"', 'it is revised or withdrawn'],
    ],
  },
  {
    name: 'agents propose',
    about: 'make a proposal by hand, where a session waits for one',
    args: [{ name: 'TRACE' }, { name: 'FILE' }],
    options: [
      { name: 'revises', value: 'ID', about: 'the proposal it replaces (default: the one that waits)' },
    ],
    notes:
      'FILE holds one proposal, as under `proposals:` of a task. The critics review it like any other.\n' +
      'Asks at the terminal whether it is yours; without one, only where the home allowed that.',
    examples: [['agents propose last proposal.yaml', 'after all were rejected, or a step was blocked']],
  },
  {
    name: 'agents resolve',
    about: 'record how a cut-off call ended, or what to do about a blocked step',
    args: [{ name: 'TRACE' }, SUBJECT],
    options: [
      { name: 'as', value: 'WHAT', required: true, choices: ['failed', 'again'], about: 'failed, or again' },
      REASON,
      ...BY,
    ],
    notes:
      'Witan never runs a call again by itself. With `again` the same call is intended and approved again.',
    examples: [
      ['agents resolve last p1-i2 --as failed --reason "nothing was written"', 'and continue without it'],
    ],
  },
  {
    name: 'agents close',
    about: 'end an attached session: what is provable is claimed, and it is audited',
    args: [{ name: 'TRACE', optional: true }],
    options: [
      { name: 'idle', value: 'TIME', about: 'all attached sessions in which nothing happened for so long' },
      {
        name: 'because',
        value: 'WHY',
        choices: ['closed', 'ended', 'idle'],
        about: 'what is recorded as the reason (default: closed)',
      },
    ],
    notes:
      'Only of sessions of hosts that were attached (witan attach). Calls that the\n' +
      'host left unfinished become indeterminate; calls that only its transcript\n' +
      'knows become gaps, of which verify warns.',
    examples: [
      ['agents close last', 'after the host has ended or died'],
      ['agents close --idle 12h', 'all in which nothing came for twelve hours'],
    ],
  },
  {
    name: 'agents summary',
    about: 'what attached agents did: sessions, calls, denials, approvals and gaps',
    args: [],
    options: [{ name: 'since', value: 'WHEN', about: 'only from then on: 2026-11-01, 7d, 12h' }],
    notes: 'Counted from the traces, by host and folder. `witan list` names the sessions one by one.',
    examples: [['agents summary --since 7d', 'of the last week']],
  },
] as const satisfies readonly Command[]
