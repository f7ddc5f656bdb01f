// The commands of a pool of minds and its observer.

import type { Command, Option } from '../command.ts'
import { QUEUE } from './queue.ts'
import { FORCE, TIMEOUT } from './run-options.ts'

const TRACE = { name: 'TRACE' } as const
const REASON: Option = { name: 'reason', value: 'TEXT', about: 'reason (recorded permanently)' }
const KEY: Option = {
  name: 'key',
  value: 'FILE',
  about: 'sign with this private key, made elsewhere, instead of one here',
}
const BY: readonly Option[] = [
  { name: 'by', value: 'NAME', about: 'which observer (default: the one of the terms)' },
  KEY,
]
const CARRY: Option = {
  name: 'carry',
  value: 'WHAT',
  choices: ['window', 'audit', 'none'],
  about: 'what the branch takes along: window (default), audit or none; pins always',
}

const AUDIT_EVERY: Option = {
  name: 'audit-every',
  value: 'N',
  about: 'with new terms: an audit every N rounds',
}
const DEMO: Option = {
  name: 'demo',
  about: 'show the mechanics with prepared sentences: no language model is asked',
}

export const EXCHANGE_COMMANDS = [
  {
    name: 'exchange run',
    about: 'run a pool of minds for some rounds, with audits',
    args: [{ name: 'TRACE', optional: true }],
    options: [
      { name: 'terms', value: 'FILE', about: 'start a new exchange on these terms' },
      { name: 'rounds', value: 'N', about: 'how many rounds are granted (default: 20)' },
      TIMEOUT,
      AUDIT_EVERY,
      DEMO,
      { name: 'checkpoint-out', value: 'FILE', about: 'save the checkpoint too: it shows later cuts' },
      FORCE,
      KEY,
      ...QUEUE,
    ],
    notes: 'Exit code 8: the pool asks for a restart, or no mind answers, and the observer must decide.',
    examples: [
      ['exchange run --demo', 'see one without any model'],
      ['exchange run --terms terms.yaml --rounds 40', 'a new exchange'],
      ['exchange run last --rounds 20', 'continue it'],
    ],
  },
  {
    name: 'exchange chat',
    about: 'take part in a pool: read audits as they come, answer, steer',
    args: [{ name: 'TRACE', optional: true }],
    options: [
      { name: 'terms', value: 'FILE', about: 'start a new exchange on these terms' },
      { name: 'rounds', value: 'N', about: 'how many rounds are granted at a time (default: 1000)' },
      TIMEOUT,
      AUDIT_EVERY,
      DEMO,
      ...BY,
    ],
    notes:
      'Type words to speak to the pool, /help for what else there is. Ctrl-C pauses; a second one leaves.\n' +
      'After every audit the pool waits for you. Nothing is lost by leaving.',
    examples: [
      ['exchange chat --demo', 'try it without any model'],
      ['exchange chat --terms terms.yaml', 'a new exchange'],
      ['exchange chat last', 'come back to one'],
    ],
  },
  {
    name: 'exchange status',
    about: 'show the state of an exchange: round, themes, restart level',
    args: [{ name: 'TRACE', optional: true }],
    options: [],
    examples: [['exchange status', 'of the last exchange, and what can be done now']],
  },
  {
    name: 'exchange inject',
    about: 'add a message to the pool from outside, marked >>>',
    args: [TRACE, { name: 'TEXT' }],
    options: [...BY],
    examples: [['exchange inject last "What about cost?"', 'every mind is shown it once']],
  },
  {
    name: 'exchange say',
    about: 'answer the last audit as the observer',
    args: [TRACE, { name: 'TEXT' }],
    options: [...BY],
    examples: [['exchange say last "Stay with the second point."', 'shown as [OBSERVER]']],
  },
  {
    name: 'exchange pin',
    about: 'pin a message so that it can always be sampled',
    args: [TRACE, { name: 'MESSAGE' }],
    options: [{ name: 'undo', about: 'unpin it' }, ...BY],
    examples: [['exchange pin last 12.1', 'the first message of round 12']],
  },
  {
    name: 'exchange branch',
    about: 'branch the exchange from the end of a round',
    args: [TRACE],
    options: [
      { name: 'at', value: 'ROUND', about: 'the last round it has seen (default: the latest)' },
      CARRY,
      { name: 'terms', value: 'FILE', about: 'new terms for it' },
      { name: 'current', about: 'the exchange continues there and no longer here' },
      REASON,
      ...BY,
    ],
    examples: [['exchange branch last --at 20 --terms terms-b.yaml', 'the same past under other terms']],
  },
  {
    name: 'exchange rollback',
    about: 'continue from an earlier round; nothing is destroyed',
    args: [TRACE],
    options: [
      { name: 'to', value: 'ROUND', about: 'which round (default: the last audit)' },
      CARRY,
      REASON,
      ...BY,
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
      ...BY,
    ],
    notes:
      'To change something answer with `exchange terms --set`, `exchange branch` or `exchange rollback`.',
    examples: [['exchange answer last --with acknowledge --reason "heard"', 'continue unchanged']],
  },
  {
    name: 'exchange terms',
    about: 'show the terms in force, or amend them',
    args: [TRACE],
    options: [{ name: 'set', value: 'FILE', about: 'amend them to these' }, REASON, ...BY],
    examples: [
      ['exchange terms last', 'as YAML'],
      ['exchange terms last --set terms-b.yaml --reason "shorter audits"', 'from the next round on'],
    ],
  },
  {
    name: 'exchange compare',
    about: 'compare two branches of an exchange',
    args: [{ name: 'A' }, { name: 'B' }],
    options: [],
    examples: [['exchange compare 01KE 01KF', 'themes gained, lost and moved; messages side by side']],
  },
  {
    name: 'exchange map',
    about: 'draw the pool over time as one file',
    args: [TRACE],
    options: [
      { name: 'output', short: 'o', value: 'FILE', required: true, about: 'FILE.html or FILE.svg' },
      FORCE,
    ],
    examples: [['exchange map last -o map.html', 'themes, time, lineage and the restart level']],
  },
  {
    name: 'exchange export',
    about: 'write every message as a flat row, for analysis',
    args: [TRACE],
    options: [
      { name: 'format', value: 'FORM', choices: ['jsonl'], about: 'JSON Lines, the only one so far' },
      { name: 'output', short: 'o', value: 'FILE', about: 'write them there (default: print them)' },
      FORCE,
    ],
    notes:
      'A row: round, branch, id, kind, author, text, sampled ids, cluster, score, encoder, vector, tokens, event.\n' +
      'Tokens are given with the first message of a reply, so that sums are right.',
    examples: [['exchange export last --format jsonl -o messages.jsonl', 'parents of a branch included']],
  },
  {
    name: 'exchange reembed',
    about: 'compute all vectors again with the current encoder',
    args: [TRACE],
    options: [...BY],
    notes:
      'The encoder is the embedded one, or what WITAN_EMBEDDINGS names: openai:MODEL, google:MODEL, or\n' +
      'openai-compatible:MODEL with WITAN_EMBEDDINGS_URL and, if need be, WITAN_EMBEDDINGS_KEY.',
    examples: [['exchange reembed last', 'on record; the old vectors stay']],
  },
  {
    name: 'exchange score',
    about: 'score texts with the restart detector',
    args: [{ name: 'FILE' }],
    options: [],
    notes: 'FILE holds one JSON object a line: {"text": "…"}. Out comes {"score", "counts"} for each.',
    examples: [['exchange score messages.jsonl', 'a score from 0 on counts as a request']],
  },
] as const satisfies readonly Command[]
