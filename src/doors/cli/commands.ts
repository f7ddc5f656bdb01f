// Every command there is, in the order in which help shows them. Data only: parsing, help and completion read it
// without loading what a command does.

import type { Command, Option } from './command.ts'
import { AGENTS_COMMANDS } from './commands/agents.ts'
import { ATTACH_COMMANDS } from './commands/attach.ts'
import { COUNCIL_COMMANDS } from './commands/council.ts'
import { EVAL_COMMANDS } from './commands/eval.ts'
import { EVIDENCE_COMMANDS, OUTPUT } from './commands/evidence.ts'
import { EXCHANGE_COMMANDS } from './commands/exchange.ts'
import { KEYS_COMMANDS } from './commands/keys.ts'
import { QUEUE, QUEUE_COMMANDS } from './commands/queue.ts'
import { READ_COMMANDS, TRACE_NOTE } from './commands/read.ts'
import { FAIL_ON, FORCE, FORMAT, FULL, REASON, RESULT, TIMEOUT, YES } from './commands/run-options.ts'

export const GLOBAL_OPTIONS: readonly Option[] = [
  { name: 'home', value: 'DIR', about: 'the home to use (default: $WITAN_HOME, else ~/.witan)' },
  { name: 'config', value: 'FILE', about: 'a witan.yaml to use' },
  { name: 'json', about: 'print one JSON object on stdout, errors too' },
  { name: 'quiet', short: 'q', about: 'print the bare result, no hints' },
  { name: 'help', short: 'h', about: 'say how a command is used' },
]

const TABLE = [
  {
    name: 'demo',
    about: 'see it without a key: scripted members, the real protocol',
    args: [{ name: 'WHAT', optional: true, choices: ['council', 'agents', 'exchange'] }],
    options: [{ name: 'fast', about: 'print at once, without pauses' }, FORMAT, FULL, ...RESULT],
    notes: 'No model is asked, and the trace and every report say so. It makes your home if there is none.',
    examples: [
      ['demo', 'a council: three members disagree, review each other, and a chair decides'],
      ['demo agents', 'a session: a call is blocked, and one waits for your approval'],
      ['demo exchange', 'a pool of minds that asks for other terms'],
    ],
  },
  ...COUNCIL_COMMANDS,
  ...EVAL_COMMANDS,
  ...AGENTS_COMMANDS,
  ...ATTACH_COMMANDS,
  ...EXCHANGE_COMMANDS,
  {
    name: 'init',
    about: 'create a home: keys, registry and an empty ledger',
    args: [],
    options: [
      { name: 'name', value: 'NAME', about: 'whose home it is (default: your user name)' },
      { name: 'project', about: 'write a commented witan.yaml in this folder too' },
      { name: 'yes', short: 'y', about: 'has no effect; kept for scripts' },
    ],
    notes: 'Run again it changes nothing; a witan.yaml that is there is left as it is.',
    examples: [
      ['init', 'make ~/.witan'],
      ['init --project', 'and write settings to begin with'],
      ['init --home ./trial --name "review desk"', 'make a home elsewhere'],
    ],
  },
  ...READ_COMMANDS,
  {
    name: 'export',
    about: 'write a trace to one file that anyone can verify',
    args: [{ name: 'TRACE' }],
    options: [
      OUTPUT,
      { name: 'flat', about: 'councils as JSON Lines for other tools; of an evaluation, or `all`' },
      { name: 'without-content', about: 'headers and proofs only: no payloads, no artifacts' },
      { name: 'html', about: 'write a page that verifies itself in any browser, as FILE.html is' },
      { name: 'artifact-limit', value: 'BYTES', about: 'leave larger artifacts out, by name' },
      {
        name: 'councils',
        about: 'of an evaluation: its councils too, in FILE.councils; verify compares them',
      },
      { name: 'checkpoint-out', value: 'FILE', about: 'save the checkpoint too: it shows later cuts' },
      { name: 'dsse', about: 'instead: one DSSE envelope an event, for programs without Witan' },
      { name: 'sigstore', about: 'instead: the same as Sigstore bundles' },
      { name: 'statement', about: 'instead: an in-toto statement of a finished trace, signed now' },
      { name: 'keys-out', value: 'DIR', about: 'with these: the public keys, as PEM files named by key id' },
      FORCE,
    ],
    notes: TRACE_NOTE,
    examples: [
      ['export last -o report.witan', 'everything needed to check it'],
      ['export last -o report.html', 'the same for someone with a browser'],
      ['export last --dsse -o report.jsonl --keys-out keys', 'for OpenSSL and others'],
    ],
  },
  {
    name: 'resume',
    about: 'resume a trace that was stopped, killed or had to wait',
    args: [{ name: 'TRACE' }],
    options: [
      TIMEOUT,
      { name: 'task', value: 'FILE', about: 'agents: where the task lies, when this home does not know' },
      YES,
      FORMAT,
      FULL,
      ...RESULT,
      ...QUEUE,
    ],
    notes: `${TRACE_NOTE}\nWhat was answered is not asked again; what was lost is, and both stay on record.`,
    examples: [['resume last', 'continue the latest trace']],
  },
  {
    name: 'fork',
    about: 'start a new trace from a point of another',
    args: [{ name: 'TRACE' }],
    options: [
      { name: 'after', value: 'POINT', required: true, about: 'an event number; in a council R1 or R2' },
      { name: 'task', value: 'FILE', about: 'agents: where the task lies, when this home does not know' },
      { name: 'chair', value: 'SEAT', about: 'council: who writes the report now' },
      { name: 'seats', value: 'LIST', repeated: true, about: 'council: the seats from here on' },
      { name: 'short-circuit', about: 'council: skip rounds where the settings allow it' },
      { name: 'max-cost', value: 'USD', about: 'council: make no more calls once this much is spent' },
      TIMEOUT,
      YES,
      FAIL_ON,
      FORMAT,
      FULL,
      ...RESULT,
    ],
    notes: `${TRACE_NOTE}\nThe old trace stays as it is, and what was answered there is not paid for twice.`,
    examples: [
      ['fork last --after R2 --chair openai', 'the same opinions and reviews, another chair'],
      ['fork last --after 7', 'a session as it stood after event 7; approvals are asked for again'],
    ],
  },
  {
    name: 'retry',
    about: 'ask the failed seats of a finished council again',
    args: [{ name: 'TRACE' }],
    options: [
      { name: 'seats', value: 'LIST', repeated: true, about: 'only these of them' },
      TIMEOUT,
      FAIL_ON,
      FORMAT,
      FULL,
      ...RESULT,
      ...QUEUE,
    ],
    notes:
      `${TRACE_NOTE}\nA fork: the old trace stays as it is, who answered is not asked again, and what was concluded ` +
      'without the others (decisions, the report) is concluded again.',
    examples: [
      [
        'retry last',
        'everyone who failed: after a failed quorum, a lost review, a chair that did not answer',
      ],
      ['retry last --seats openai --timeout 5m', 'one of them, more patiently'],
    ],
  },
  {
    name: 'abort',
    about: 'end an unfinished trace, on record',
    args: [{ name: 'TRACE' }],
    options: [REASON],
    notes: `${TRACE_NOTE}\nAsks at the terminal; without one it is recorded that nothing showed a person.`,
    examples: [['abort last --reason "asked the wrong question"', 'it cannot be resumed']],
  },
  {
    name: 'replay',
    about: 'run a trace again from its own record, and compare',
    args: [{ name: 'TRACE' }],
    options: [],
    notes: `${TRACE_NOTE}\nNo model is asked and nothing is written. Exit code 3: a decision differs.`,
    examples: [['replay last', 'decide every call again from the recorded answers']],
  },
  ...EVIDENCE_COMMANDS,
  {
    name: 'redact',
    about: 'erase a payload or an artifact for good, on record',
    args: [{ name: 'TRACE' }, { name: 'SEQ', optional: true }],
    options: [
      { name: 'artifact', value: 'HASH', about: 'erase the bytes of this artifact instead' },
      {
        name: 'everywhere',
        about: 'its artifacts too, every recorded prompt that quotes it, and events that repeat it by rule',
      },
      REASON,
      { name: 'by', value: 'NAME', about: 'who wants it (default: your user name)' },
    ],
    notes: `${TRACE_NOTE}\nHeader, signature and chain stay. There is no way back.`,
    examples: [
      ['redact last 4 --reason "holds a home address"', 'the payload of event 4'],
      ['redact last 4 --everywhere --reason "holds a home address"', 'and all that quotes it'],
    ],
  },
  {
    name: 'prune',
    about: 'erase the content of traces that ended before a date, on record',
    args: [],
    options: [
      {
        name: 'before',
        value: 'DATE',
        required: true,
        about: 'a date like 2026-01-01, or how long ago like 90d',
      },
      { name: 'reason', value: 'TEXT', about: 'reason (recorded permanently)' },
      { name: 'by', value: 'NAME', about: 'who wants it (default: your user name)' },
      { name: 'unfinished', about: 'also traces that never finished; they cannot be resumed then' },
      { name: 'dry-run', about: 'say what would go, and change nothing' },
      { name: 'yes', short: 'y', about: 'erase without asking first' },
    ],
    notes:
      'Payloads and artifacts go; headers, signatures, chains and the registry stay, and verification says what was ' +
      'erased. Traces in the queue stay, and those from which a newer trace was forked. There is no way back.',
    examples: [
      ['prune --before 90d --dry-run', 'what is older than 90 days'],
      ['prune --before 2026-01-01 --reason "retention: one year" --yes', 'from a script'],
    ],
  },
  ...QUEUE_COMMANDS,
  ...KEYS_COMMANDS,
  {
    name: 'doctor',
    about: 'list which models are ready, and the seats a council would use now',
    args: [],
    options: [
      { name: 'ask', about: 'ask each ready seat one tiny question, which may cost a little' },
      { name: 'all', about: 'every way to reach each provider, and why it is not ready' },
    ],
    notes:
      'Reads the settings of the home and the nearest witan.yaml. Exit code 0 also where nothing is ready.\n' +
      "With a vendor's key at hand the vendor is asked which models it lists; no key is ever printed.",
    examples: [
      ['doctor', 'what is ready, why not, and what to do'],
      ['doctor --ask', 'latency, tokens and cost of one real answer each'],
    ],
  },
  {
    name: 'console',
    about: 'see, decide, steer and verify in your browser',
    args: [],
    options: [
      { name: 'port', value: 'PORT', about: 'where to listen (default: as last time, else any; 0: any)' },
      { name: 'no-open', about: 'print the link and open no browser' },
      { name: 'read-only', about: 'show everything, do nothing' },
    ],
    notes:
      'Listens on the loopback alone. The link works once, for five minutes; it opens a session of this browser that ' +
      'ends after eight idle hours or with the command. Without a terminal it only reads. A second console of one home ' +
      'gives a new link into the first.\n' +
      'From another machine: ssh -L PORT:127.0.0.1:PORT HOST, then open the link there, with the same port.',
    examples: [
      ['console', 'open it'],
      ['console --no-open --port 7400', 'print the link, for a browser elsewhere'],
      ['console --json', 'print {"url": …} once it listens, for a program'],
    ],
  },
  {
    name: 'mcp',
    about: 'serve councils and traces as tools inside an MCP host',
    args: [],
    options: [
      { name: 'http', about: 'listen on the loopback instead of stdin, for those who hold the token' },
      { name: 'port', value: 'PORT', about: 'with --http: where to listen (default: any free port)' },
      { name: 'tools', value: 'SETS', about: 'more sets of tools, by comma: agents, exchange, home' },
    ],
    notes: 'With --http the token is $WITAN_MCP_TOKEN, or a new one that is printed.',
    examples: [
      ['mcp', 'speak MCP on stdin and stdout, as a host starts it'],
      ['mcp --tools agents,exchange', 'with sessions of agents and exchanges too'],
      ['mcp --tools home', 'with keys, erasing and the doctor too; a person is asked before a change'],
      ['mcp --http --port 7331', 'serve a host that connects by itself'],
    ],
  },
  {
    name: 'trust',
    about: 'let a file of yours name commands, servers and addresses',
    args: [{ name: 'FILE', optional: true }],
    options: [
      { name: 'list', about: 'list the files trusted so far' },
      { name: 'remove', about: 'stop trusting FILE' },
    ],
    notes: 'A changed file has to be trusted again. Read it first.',
    examples: [
      ['trust witan.yaml', 'this file, as it is now'],
      ['trust --list', 'what is trusted, and whether it changed'],
    ],
  },
  {
    name: 'completion',
    about: 'print a completion script for your shell',
    args: [{ name: 'SHELL', choices: ['bash', 'zsh', 'fish', 'traces', 'seats', 'panels'] }],
    options: [],
    notes: 'The script asks `witan completion traces`, `seats` and `panels` for the names that can be given.',
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/witan', 'bash'],
      ['completion zsh > ~/.zfunc/_witan', 'zsh, where ~/.zfunc is in its fpath'],
      ['completion fish > ~/.config/fish/completions/witan.fish', 'fish'],
    ],
  },
] as const satisfies readonly Command[]

export type CommandName = (typeof TABLE)[number]['name']

export const COMMANDS: readonly (Command & { readonly name: CommandName })[] = TABLE
