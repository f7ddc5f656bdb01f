// The commands of a pool of minds and its observer.

import type { Command, Option } from '../command.ts'

const TRACE = { name: 'TRACE' } as const
const REASON: Option = { name: 'reason', value: 'TEXT', about: 'why; kept for ever' }
const BY: Option = { name: 'by', value: 'NAME', about: 'which observer (default: the one of the terms)' }
const CARRY: Option = {
  name: 'carry',
  value: 'WHAT',
  choices: ['window', 'audit', 'none'],
  about: 'what the branch takes along: window (default), audit or none; pins always',
}

const AUDIT_EVERY: Option = {
  name: 'audit-every',
  value: 'N',
  about: 'with new terms: every so many rounds an audit',
}
const DEMO: Option = {
  name: 'demo',
  about: 'show the mechanics with prepared sentences: no language model is asked',
}

export const EXCHANGE_COMMANDS = [
  {
    name: 'exchange run',
    about: 'let a pool of minds think for some rounds, with audits',
    args: [{ name: 'TRACE', optional: true }],
    options: [
      { name: 'terms', value: 'FILE', about: 'begin a new exchange on these terms' },
      { name: 'rounds', value: 'N', about: 'how many rounds are granted (default: 20)' },
      AUDIT_EVERY,
      DEMO,
      { name: 'checkpoint-out', value: 'FILE', about: 'save the checkpoint too: it shows later cuts' },
      { name: 'force', about: 'replace a file that is there already' },
    ],
    notes: 'Exit code 8: the pool asks for a restart, or nobody answers, and the observer must decide.',
    examples: [
      ['exchange run --demo', 'see one without any model'],
      ['exchange run --terms terms.yaml --rounds 40', 'a new exchange'],
      ['exchange run last --rounds 20', 'go on with it'],
    ],
  },
  {
    name: 'exchange status',
    about: 'see where an exchange stands: round, themes, restart level',
    args: [{ name: 'TRACE', optional: true }],
    options: [],
    examples: [['exchange status last', 'and what can be done now']],
  },
  {
    name: 'exchange inject',
    about: 'put words into the pool from outside, marked >>>',
    args: [TRACE, { name: 'TEXT' }],
    options: [BY],
    examples: [['exchange inject last "What about cost?"', 'every mind is shown it once']],
  },
  {
    name: 'exchange say',
    about: 'answer the last audit as the observer',
    args: [TRACE, { name: 'TEXT' }],
    options: [BY],
    examples: [['exchange say last "Stay with the second point."', 'shown as [OBSERVER]']],
  },
  {
    name: 'exchange pin',
    about: 'keep a message where it can be sampled',
    args: [TRACE, { name: 'MESSAGE' }],
    options: [{ name: 'undo', about: 'let it go again' }, BY],
    examples: [['exchange pin last 12.1', 'the first message of round 12']],
  },
  {
    name: 'exchange branch',
    about: 'take another course from the end of a round',
    args: [TRACE],
    options: [
      { name: 'at', value: 'ROUND', about: 'the last round it has seen (default: the latest)' },
      CARRY,
      { name: 'terms', value: 'FILE', about: 'new terms for it' },
      { name: 'current', about: 'the exchange goes on there and no longer here' },
      REASON,
      BY,
    ],
    examples: [['exchange branch last --at 20 --terms terms-b.yaml', 'the same past under other terms']],
  },
  {
    name: 'exchange rollback',
    about: 'go on from an earlier round; nothing is destroyed',
    args: [TRACE],
    options: [
      { name: 'to', value: 'ROUND', about: 'which round (default: the last audit)' },
      CARRY,
      REASON,
      BY,
    ],
    examples: [
      ['exchange rollback last --to 20 --reason "it went in circles"', 'what came after stays on record'],
    ],
  },
  {
    name: 'exchange answer',
    about: 'answer a restart signal without changing the terms',
    args: [TRACE],
    options: [
      {
        name: 'with',
        value: 'WHAT',
        required: true,
        choices: ['acknowledge', 'halt'],
        about: 'acknowledge, and nothing changes; or halt',
      },
      REASON,
      BY,
    ],
    notes:
      'To change something answer with `exchange terms --set`, `exchange branch` or `exchange rollback`.',
    examples: [['exchange answer last --with acknowledge --reason "heard"', 'go on unchanged']],
  },
  {
    name: 'exchange terms',
    about: 'show the terms in force, or amend them',
    args: [TRACE],
    options: [{ name: 'set', value: 'FILE', about: 'amend them to these' }, REASON, BY],
    examples: [
      ['exchange terms last', 'as YAML'],
      ['exchange terms last --set terms-b.yaml --reason "shorter audits"', 'from the next round on'],
    ],
  },
  {
    name: 'exchange score',
    about: 'see what the restart detector makes of texts',
    args: [{ name: 'FILE' }],
    options: [],
    notes: 'FILE holds one JSON object a line: {"text": "…"}. Out comes {"score", "counts"} for each.',
    examples: [['exchange score messages.jsonl', 'a score from 0 on counts as a request']],
  },
] as const satisfies readonly Command[]
