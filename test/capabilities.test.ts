// What the command can do, programs and MCP hosts can do: every command has a row that says under which name, or why it
// is none of theirs. A new command without a row fails here, and so does a row that names what is not there.

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS, type CommandName } from '../src/doors/cli/commands.ts'
import { SETS } from '../src/doors/mcp/serve.ts'
import { projectRoot } from './support/sources.ts'

/** `entry#name`, of the package's entries. */
type Exported = `${'.' | 'council' | 'agents' | 'exchange'}#${string}`

/** Why a capability is not offered there. */
interface Not {
  readonly not: string
}

interface Row {
  readonly library: readonly Exported[] | Not
  /** Tools by name; an act after a colon. */
  readonly mcp: readonly string[] | Not
  /** Options of the command that the tool takes under another name, or not at all and why. */
  readonly options?: Readonly<Record<string, string | Not>>
}

const SETUP = { not: 'sets this machine up, for a person at it' }
const ENTRANCE = { not: 'is an entrance itself' }
const SHELL = { not: 'serves a shell' }
const WORKERS = { not: 'runs workers: for who operates the machines' }
const RETENTION = { not: 'erases whole traces: for who operates the home' }
const NO_LAYOUT = { not: 'how the command prints' }
const HOST_FILES = { not: 'a host names a trace, never a place to write to' }
const NO_GATE = { not: 'an exit code; the report holds what it is judged by' }
const NO_QUEUE = { not: 'queueing is the command’s; see workers' }
const NO_CONSENT = { not: 'consent is a person’s, given at a terminal' }
const TRUSTING = { not: 'a person decides what to trust' }

/** What every command that runs something takes for its own output. */
const RUN = {
  ...{
    format: NO_LAYOUT,
    full: NO_LAYOUT,
    output: HOST_FILES,
    force: HOST_FILES,
    'checkpoint-out': HOST_FILES,
  },
  ...{
    'fail-on': NO_GATE,
    yes: NO_CONSENT,
    queue: NO_QUEUE,
    priority: NO_QUEUE,
    tag: NO_QUEUE,
    wait: NO_QUEUE,
  },
  ...{ tenant: NO_QUEUE },
} as const

const TABLE: Readonly<Record<CommandName, Row>> = {
  demo: { library: SETUP, mcp: SETUP },
  ask: { library: ['council#council'], mcp: ['council_run', 'council_open'] },
  review: { library: ['council#council'], mcp: ['council_run'] },
  council: {
    library: ['council#council', 'council#estimateCouncil'],
    mcp: ['council_run'],
    options: {
      ...RUN,
      diff: 'range',
      context: 'context',
      constraint: 'constraints',
      panel: { not: 'a shorthand of a person; a host names seats' },
      preview: { not: 'council_run answers with the estimate' },
      parts: { not: 'a host’s context is at most one part' },
    },
  },
  eval: {
    library: { not: 'measures councils, at a terminal' },
    mcp: { not: 'measures councils, at a terminal' },
  },
  outcome: { library: { not: 'a person’s judgement' }, mcp: { not: 'a person’s judgement' } },
  'agents run': { library: ['agents#runTask', 'agents#agents'], mcp: ['agents_run'] },
  'agents pending': { library: ['agents#agents'], mcp: ['agents_pending'] },
  'agents approve': { library: ['agents#agents'], mcp: ['agents_approve'] },
  'agents block': { library: ['agents#agents'], mcp: ['agents_approve'] },
  'agents challenge': { library: ['agents#agents'], mcp: ['agents_approve'] },
  'agents propose': { library: ['agents#agents'], mcp: ['agents_propose'] },
  'agents resolve': { library: ['agents#agents'], mcp: { not: 'a person looks what became of a call' } },
  'agents close': {
    library: ['agents#openAccountable'],
    mcp: { not: 'for a host that was attached by its hooks' },
  },
  'agents summary': { library: ['.#listTraces'], mcp: ['trace_list'] },
  attach: { library: ['agents#accountable'], mcp: SETUP },
  detach: { library: ['agents#accountable'], mcp: SETUP },
  gateway: { library: ['agents#accountable'], mcp: { not: 'it is an MCP server of its own' } },
  'exchange run': { library: ['exchange#exchange', 'exchange#resumeExchange'], mcp: ['exchange_run'] },
  'exchange chat': { library: ['exchange#exchange'], mcp: ['exchange_run', 'exchange_observe:say'] },
  'exchange status': { library: ['exchange#exchangeStatus'], mcp: ['exchange_observe'] },
  'exchange inject': { library: ['exchange#observeExchange'], mcp: ['exchange_observe:inject'] },
  'exchange say': { library: ['exchange#observeExchange'], mcp: ['exchange_observe:say'] },
  'exchange pin': { library: ['exchange#observeExchange'], mcp: { not: 'written by its observer' } },
  'exchange branch': { library: ['exchange#forkExchange'], mcp: ['exchange_observe:branch'] },
  'exchange rollback': { library: ['exchange#observeExchange'], mcp: ['exchange_observe:rollback'] },
  'exchange answer': { library: ['exchange#observeExchange'], mcp: ['exchange_observe:acknowledge'] },
  'exchange terms': { library: ['exchange#observeExchange'], mcp: ['exchange_observe:amend'] },
  'exchange compare': { library: ['exchange#compareExchanges'], mcp: { not: 'draws for a person' } },
  'exchange map': { library: ['exchange#exchangeMap'], mcp: { not: 'draws for a person' } },
  'exchange export': { library: ['exchange#exchangeRows'], mcp: ['trace_show'] },
  'exchange reembed': { library: ['exchange#reembedExchange'], mcp: SETUP },
  'exchange score': {
    library: { not: 'tries the detector on texts' },
    mcp: { not: 'tries the detector on texts' },
  },
  init: { library: ['.#inHome'], mcp: SETUP },
  list: { library: ['.#listTraces'], mcp: ['trace_list'] },
  costs: { library: ['.#listTraces'], mcp: ['trace_list'] },
  find: { library: ['.#findEvents'], mcp: ['trace_show'] },
  show: { library: ['.#readTrace', '.#readEvent'], mcp: ['trace_show'] },
  report: { library: ['.#readReport'], mcp: ['council_status'] },
  open: { library: ['.#exportTrace'], mcp: ['trace_export'] },
  verify: { library: ['.#verifyTrace'], mcp: ['trace_verify'], options: { trust: TRUSTING } },
  export: {
    library: ['.#exportTrace', '.#exportForm', '.#exportFlat'],
    mcp: ['trace_export'],
    options: {
      ...{ output: HOST_FILES, force: HOST_FILES, 'checkpoint-out': 'checkpoint' },
      ...{ flat: 'form', dsse: 'form', sigstore: 'form', statement: 'form' },
      'keys-out': { not: 'the keys are always written beside' },
      councils: { not: 'of an evaluation, which hosts do not run' },
    },
  },
  resume: {
    library: ['council#resumeCouncil', 'agents#resumeSession', 'exchange#resumeExchange'],
    mcp: ['council_resume', 'agents_run', 'exchange_run'],
    options: RUN,
  },
  fork: {
    library: ['council#forkCouncil', 'agents#forkSession', 'exchange#forkExchange'],
    mcp: ['council_fork', 'agents_run', 'exchange_observe:branch'],
    options: { ...RUN, after: 'after' },
  },
  retry: { library: ['council#retryCouncil'], mcp: ['council_retry'], options: RUN },
  abort: {
    library: ['council#abortCouncil', 'agents#abortSession', 'exchange#abortExchange'],
    mcp: ['trace_abort'],
    options: {},
  },
  replay: { library: ['.#replay'], mcp: { not: 'trace_verify judges every decision again' } },
  prove: {
    library: ['.#proveEvent', '.#proveSince'],
    mcp: ['trace_prove'],
    options: { output: HOST_FILES, force: HOST_FILES },
  },
  attest: { library: ['.#attestTrace'], mcp: SETUP },
  otel: { library: ['.#exportSpans'], mcp: SETUP },
  redact: { library: ['.#redact'], mcp: ['trace_redact'], options: {} },
  prune: { library: RETENTION, mcp: RETENTION },
  wait: { library: WORKERS, mcp: WORKERS },
  'queue list': { library: WORKERS, mcp: WORKERS },
  'queue cancel': { library: WORKERS, mcp: WORKERS },
  'queue retry': { library: WORKERS, mcp: WORKERS },
  'queue limit': { library: WORKERS, mcp: WORKERS },
  'schedule add': { library: WORKERS, mcp: WORKERS },
  'schedule list': { library: WORKERS, mcp: WORKERS },
  'schedule remove': { library: WORKERS, mcp: WORKERS },
  worker: { library: WORKERS, mcp: WORKERS },
  'keys list': { library: ['.#listKeys'], mcp: ['keys_list'], options: {} },
  'keys add': { library: ['.#addKey'], mcp: ['keys_change:add'], options: { role: 'roles' } },
  'keys join': { library: WORKERS, mcp: WORKERS },
  'keys rotate': { library: ['.#rotateKey'], mcp: ['keys_change:rotate'], options: {} },
  'keys passphrase': { library: ['.#setPassphrase'], mcp: ['keys_change:passphrase'], options: {} },
  'keys revoke': { library: ['.#revokeKey'], mcp: ['keys_change:revoke'], options: {} },
  doctor: { library: ['.#doctor'], mcp: ['doctor'], options: {} },
  mcp: { library: ENTRANCE, mcp: ENTRANCE },
  console: { library: ENTRANCE, mcp: ENTRANCE },
  trust: {
    library: ['.#trust', '.#distrust', '.#listTrusted'],
    mcp: { not: 'a person reads and trusts a file' },
  },
  completion: { library: SHELL, mcp: SHELL },
}

const isNot = (cell: readonly string[] | Not | string): cell is Not =>
  typeof cell === 'object' && !Array.isArray(cell)
const rows = COMMANDS.map(({ name, options }) => ({ name, options, row: TABLE[name] }))
const tools = new Map(Object.values(SETS).flatMap((set) => set.map((tool) => [tool.name, tool] as const)))

/** What a tool takes, with the values of an act where it is one of several. */
function inputOf(cell: string): { readonly names: readonly string[]; readonly acts: readonly string[] } {
  const shape = tools.get(cell.split(':')[0] ?? '')?.input.shape ?? {}
  const act: unknown = shape.act
  const inner = (act as { unwrap?: () => { options?: string[] }; options?: string[] } | undefined) ?? {}
  return { names: Object.keys(shape), acts: inner.options ?? inner.unwrap?.().options ?? [] }
}

describe('APP-16 every capability of the command', () => {
  it('has a row, and no row is of a command that is gone', () => {
    expect(Object.keys(TABLE).sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
  })

  it.each(rows)('$name is there for programs', async ({ row: { library } }) => {
    if (isNot(library)) return expect(library.not).not.toBe('')
    for (const exported of library) {
      const [entry = '', name = ''] = exported.split('#')
      const file = `src/doors/library/${entry === '.' ? 'index' : entry}.ts`
      const loaded: Record<string, unknown> = await import(join(projectRoot, file))
      expect(typeof loaded[name], exported).toBe('function')
    }
  })

  it.each(rows)('$name is there for MCP hosts', ({ row: { mcp } }) => {
    if (isNot(mcp)) return expect(mcp.not).not.toBe('')
    for (const cell of mcp) {
      const [name = '', act] = cell.split(':')
      expect(tools.has(name), cell).toBe(true)
      if (act !== undefined) expect(inputOf(cell).acts, cell).toContain(act)
    }
  })

  it.each(rows.filter(({ row }) => row.options))(
    '$name takes its options over MCP too',
    ({ options, row }) => {
      const taken = isNot(row.mcp) ? [] : row.mcp.flatMap((cell) => inputOf(cell).names)
      const missing = options
        .map(({ name }) => ({ name, as: row.options?.[name] ?? name.replaceAll('-', '_') }))
        .filter(({ as }) => (isNot(as) ? as.not === '' : !taken.includes(as)))
      expect(missing.map(({ name }) => name)).toEqual([])
    },
  )
})
