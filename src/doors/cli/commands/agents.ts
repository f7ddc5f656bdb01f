// The commands of sessions in which agents act.

import type { Command, Option } from '../command.ts'
import { YES } from './run-options.ts'

const REASON: Option = { name: 'reason', value: 'TEXT', required: true, about: 'why; kept for ever' }
const BY: readonly Option[] = [
  { name: 'by', value: 'NAME', about: 'who decides (default: your user name)' },
  { name: 'key', value: 'FILE', about: 'sign with this private key, made elsewhere, instead of one here' },
]
const SUBJECT = { name: 'INTENT', optional: true } as const
const WHO =
  'Only a person with a registered key in the role critic can decide: witan keys add NAME --role critic'

export const AGENTS_COMMANDS = [
  {
    name: 'agents run',
    about: 'carry out a task: every intent signed, every claim proven',
    args: [{ name: 'TASK' }],
    options: [
      YES,
      { name: 'checkpoint-out', value: 'FILE', about: 'save the checkpoint too: it shows later cuts' },
      { name: 'force', about: 'replace a file that is there already' },
    ],
    notes:
      'TASK is a file such as task.yaml; see examples/agents. What it would widen counts only after `witan trust`.\n' +
      'Models that it names are shown what its tools read: asked for once a folder and provider, or said with --yes.\n' +
      'Exit code 3: the audit failed; 5: no proposal succeeded; 8: it waits for a person, and says for whom.',
    examples: [['agents run task.yaml', 'from the plan to the audit']],
  },
  {
    name: 'agents pending',
    about: 'see what waits for a person',
    args: [{ name: 'TRACE', optional: true }],
    options: [],
    examples: [['agents pending', 'in all sessions, with the commands that answer it']],
  },
  {
    name: 'agents approve',
    about: 'allow one intent, once; or a proposal',
    args: [{ name: 'TRACE' }, SUBJECT],
    options: [
      REASON,
      { name: 'minutes', value: 'N', about: 'how long the approval stands (default: 15)' },
      ...BY,
    ],
    notes: WHO,
    examples: [
      ['agents approve last p1-i2 --reason "read the diff"', 'this intent, with these arguments'],
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
    name: 'agents propose',
    about: 'make a proposal by hand, where a session waits for one',
    args: [{ name: 'TRACE' }, { name: 'FILE' }],
    options: [
      { name: 'revises', value: 'ID', about: 'what it stands in for (default: the last one rejected)' },
    ],
    notes:
      'FILE holds one proposal, as under `proposals:` of a task. It goes before the critics like any other.\n' +
      'Asks at the terminal whether it is yours; without one, only where the home allowed that.',
    examples: [['agents propose last proposal.yaml', 'after all proposals were rejected']],
  },
  {
    name: 'agents resolve',
    about: 'say what became of a call that was cut off',
    args: [{ name: 'TRACE' }, SUBJECT],
    options: [
      { name: 'as', value: 'WHAT', required: true, choices: ['failed', 'again'], about: 'failed, or again' },
      REASON,
      ...BY,
    ],
    notes:
      'Nothing is run a second time by itself. With `again` the same thing is intended and approved anew.',
    examples: [
      ['agents resolve last p1-i2 --as failed --reason "nothing was written"', 'and go on without it'],
    ],
  },
] as const satisfies readonly Command[]
