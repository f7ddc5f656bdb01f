// The location of each command's code. It is loaded on first use: a command pays only for itself.

import type { ServeWorker } from '../../app/queue/worker-service.ts'
import type { Verb } from './command.ts'
import type { CommandName } from './commands.ts'
import type { ServeConsole } from './verbs/console.ts'
import type { ServeGateway } from './verbs/gateway.ts'
import type { ServeMcp } from './verbs/mcp.ts'

/** Entrances that a command opens, passed in by the program that joins them. */
export interface OtherEntrances {
  serveMcp(): Promise<ServeMcp>
  serveGateway(): Promise<ServeGateway>
  serveWorker(): Promise<ServeWorker>
  serveConsole(): Promise<ServeConsole>
}

type Load = (others: OtherEntrances) => Promise<{ readonly run: Verb }>

/** An export of a module that is a verb. */
type VerbsIn<Module> = { [Name in keyof Module]: Module[Name] extends Verb ? Name : never }[keyof Module]

/** One of the verbs in a module. */
const of =
  <Module extends object>(load: () => Promise<Module>) =>
  <Name extends VerbsIn<Module>>(name: Name): Load =>
  async () => ({ run: (await load())[name] as Verb })

const agents = of(() => import('./verbs/agents.ts'))
const attach = of(() => import('./verbs/attach.ts'))
const keys = of(() => import('./verbs/keys.ts'))
const council = of(() => import('./verbs/council.ts'))
const read = of(() => import('./verbs/read.ts'))
const traces = of(() => import('./verbs/traces.ts'))
const going = of(() => import('./verbs/continue.ts'))
const setup = of(() => import('./verbs/setup.ts'))
const queue = of(() => import('./verbs/queue.ts'))
const schedule = of(() => import('./verbs/schedule.ts'))
const pool = of(() => import('./exchange/run.ts'))
const acts = of(() => import('./exchange/acts.ts'))
const look = of(() => import('./exchange/read-exchange.ts'))

export const VERBS: Readonly<Record<CommandName, Load>> = {
  demo: of(() => import('./verbs/demo.ts'))('demo'),
  ask: council('ask'),
  review: council('review'),
  council: council('council'),
  eval: of(() => import('./verbs/eval.ts'))('evaluate'),
  outcome: of(() => import('./verbs/outcome.ts'))('outcome'),
  'agents run': agents('run'),
  'agents pending': agents('pending'),
  'agents approve': agents('approve'),
  'agents block': agents('block'),
  'agents challenge': agents('challenge'),
  'agents propose': agents('propose'),
  'agents resolve': agents('resolve'),
  'agents close': attach('close'),
  'agents summary': attach('summary'),
  attach: attach('attach'),
  detach: attach('detach'),
  gateway: async ({ serveGateway }) => ({
    run: (await import('./verbs/gateway.ts')).gatewayVerb(await serveGateway()),
  }),
  'exchange run': pool('run'),
  'exchange chat': pool('chatting'),
  'exchange status': look('status'),
  'exchange inject': acts('inject'),
  'exchange say': acts('say'),
  'exchange pin': acts('pin'),
  'exchange branch': acts('branch'),
  'exchange rollback': acts('rollback'),
  'exchange answer': acts('answer'),
  'exchange terms': look('terms'),
  'exchange compare': look('compare'),
  'exchange map': look('map'),
  'exchange export': look('exporting'),
  'exchange reembed': acts('reembedding'),
  'exchange score': look('score'),
  init: setup('init'),
  list: read('list'),
  costs: read('costs'),
  find: read('find'),
  show: read('show'),
  report: read('report'),
  open: traces('open'),
  verify: read('verify'),
  export: traces('exportFile'),
  resume: going('resume'),
  fork: going('fork'),
  retry: going('retry'),
  abort: going('abort'),
  replay: traces('replay'),
  prove: traces('prove'),
  attest: traces('attest'),
  otel: traces('otel'),
  redact: traces('redact'),
  prune: of(() => import('./verbs/prune.ts'))('prune'),
  wait: queue('wait'),
  'queue list': queue('list'),
  'queue cancel': queue('cancel'),
  'queue retry': queue('retry'),
  'queue limit': queue('limit'),
  'schedule add': schedule('add'),
  'schedule list': schedule('list'),
  'schedule remove': schedule('remove'),
  worker: async ({ serveWorker }) => ({
    run: (await import('./verbs/worker.ts')).workerVerb(await serveWorker()),
  }),
  'keys list': keys('list'),
  'keys add': keys('add'),
  'keys join': keys('join'),
  'keys rotate': keys('rotate'),
  'keys passphrase': keys('passphrase'),
  'keys revoke': keys('revoke'),
  doctor: setup('doctor'),
  mcp: async ({ serveMcp }) => ({ run: (await import('./verbs/mcp.ts')).mcpVerb(await serveMcp()) }),
  console: async ({ serveConsole }) => ({
    run: (await import('./verbs/console.ts')).consoleVerb(await serveConsole()),
  }),
  trust: setup('trust'),
  completion: () => import('./verbs/completion.ts'),
}
