// The commands that only read what was recorded.

import type { Command } from '../command.ts'
import { FORCE, FORMAT, FULL, RESULT_FILE } from './run-options.ts'

export const TRACE_NOTE =
  'TRACE is the id of a trace, the beginning of one, `last`, `last:council` (or agents, exchange), or `registry`.'

export const READ_COMMANDS = [
  {
    name: 'list',
    about: 'list the traces of this home, newest first',
    args: [],
    options: [{ name: 'all', about: 'all of them, not only the newest 30' }],
    notes: 'Ids are shortened to what tells them apart; every command takes them so.',
    examples: [
      ['list', 'short id, what it came to, cost, age and subject of each'],
      ['list --quiet', 'whole ids only, one a line'],
    ],
  },
  {
    name: 'costs',
    about: 'say what models cost, by day, seat, model, mode or protocol',
    args: [],
    options: [
      {
        name: 'by',
        value: 'WHAT',
        choices: ['day', 'seat', 'model', 'mode', 'protocol', 'trace'],
        about: 'day (default), seat, model, mode, protocol or trace',
      },
      { name: 'since', value: 'WHEN', about: 'only from then on: 2026-11-01, 7d, 12h' },
    ],
    notes:
      'Sums what the traces of this home say each asking cost. An asking without a known price is counted and not ' +
      'guessed: the sum is then at least that much.',
    examples: [
      ['costs', 'by day'],
      ['costs --by seat --since 30d', 'who was how expensive in the last 30 days'],
    ],
  },
  {
    name: 'find',
    about: 'find words in everything that was recorded, newest first',
    args: [{ name: 'WORDS', repeated: true }],
    options: [
      { name: 'since', value: 'WHEN', about: 'only from then on: 2026-11-01, 7d, 12h' },
      { name: 'seat', value: 'NAME', about: 'only what this seat, mind or person said' },
      {
        name: 'protocol',
        value: 'NAME',
        choices: ['council', 'agents', 'exchange', 'registry'],
        about: 'only in traces of this protocol',
      },
      {
        name: 'verdict',
        value: 'WORD',
        about: 'only in traces that came to this: adopt, reject, pass; of reviews approve, request changes',
      },
      { name: 'min-cost', value: 'USD', about: 'only in traces that cost at least this much' },
      { name: 'in', value: 'TRACE', about: 'only in this trace' },
      { name: 'limit', value: 'N', about: 'how many events to show (default: 20)' },
    ],
    notes:
      'Finds events that hold all the words, in any case and with any accents, in payloads and in the texts they name. ' +
      'Quoted words must be side by side; word* is the beginning of a word. Requests to models are left out: they repeat ' +
      'what is recorded elsewhere. The index is made by the first search and holds nothing that was redacted.',
    examples: [
      ['find sqlite migration', 'every event with both words'],
      ['find \'"connection pool"\' --since 30d', 'side by side, in the last 30 days'],
      ['find timeout* --seat openai', 'what one seat said of timeouts'],
    ],
  },
  {
    name: 'show',
    about: 'show what happened in a trace, or one event in full',
    args: [{ name: 'TRACE|FILE' }, { name: 'SEQ', optional: true }, { name: 'ARTIFACT', optional: true }],
    options: [],
    notes: TRACE_NOTE,
    examples: [
      ['show last', 'every event, a line or two each'],
      ['show report.witan', 'what a file says, unchecked: verify it first'],
      ['show registry 0', 'header, payload and signature of one event'],
      ['show last 8 raw.json', 'what a model said, though it could not be read'],
    ],
  },
  {
    name: 'report',
    about: 'the report of a council again, in any form',
    args: [{ name: 'TRACE' }],
    options: [FORMAT, FULL, RESULT_FILE, FORCE],
    notes: TRACE_NOTE,
    examples: [
      ['report last', 'the verdict on one screen'],
      ['report last --full', 'all of it'],
      ['report last --format md -o decision.md', 'for a record'],
    ],
  },
  {
    name: 'open',
    about: 'open a trace as a page in your browser, which verifies it',
    args: [{ name: 'TRACE' }],
    options: [],
    notes: `${TRACE_NOTE}\n$BROWSER names the program that opens it; without a browser the file is named.`,
    examples: [['open last', 'what happened, and whether it is intact']],
  },
  {
    name: 'verify',
    about: 'check a trace of this home, or a file from anyone',
    args: [{ name: 'TRACE|FILE' }],
    options: [
      {
        name: 'trust',
        value: 'KEY|CHECKPOINT',
        repeated: true,
        about:
          'a registry key (hex, PEM or verifier key), a saved checkpoint, the key of a witness, or the certificate of a timestamp authority, as text or file',
      },
    ],
    notes: `${TRACE_NOTE}\nExit code 0: pass or pass with warnings; 3: fail. Verifying never writes.`,
    examples: [
      ['verify last', 'a trace of this home'],
      ['verify report.witan --trust ana.vkey', 'a file, held against a key you were given'],
      ['verify report.witan --trust yesterday.checkpoint', 'that also shows a cut-off tail'],
    ],
  },
] as const satisfies readonly Command[]
