// Where the code of each command is. Nothing of it is loaded before it is asked for: a command pays only for itself.

import type { Verb } from './command.ts'
import type { CommandName } from './commands.ts'
import type { ServeMcp } from './verbs/mcp.ts'

/** Entrances that a command opens, handed in by the program that joins them. */
export interface OtherEntrances {
  serveMcp(): Promise<ServeMcp>
}

type Load = (others: OtherEntrances) => Promise<{ readonly run: Verb }>

export const VERBS: Readonly<Record<CommandName, Load>> = {
  ask: () => import('./verbs/ask.ts'),
  review: () => import('./verbs/review.ts'),
  council: () => import('./verbs/council.ts'),
  'agents run': () => import('./verbs/agents-run.ts'),
  'agents pending': () => import('./verbs/agents-pending.ts'),
  'agents approve': () => import('./verbs/agents-approve.ts'),
  'agents block': () => import('./verbs/agents-block.ts'),
  'agents propose': () => import('./verbs/agents-propose.ts'),
  'agents resolve': () => import('./verbs/agents-resolve.ts'),
  'exchange run': () => import('./verbs/exchange-run.ts'),
  'exchange chat': () => import('./verbs/exchange-chat.ts'),
  'exchange status': () => import('./verbs/exchange-status.ts'),
  'exchange inject': () => import('./verbs/exchange-inject.ts'),
  'exchange say': () => import('./verbs/exchange-say.ts'),
  'exchange pin': () => import('./verbs/exchange-pin.ts'),
  'exchange branch': () => import('./verbs/exchange-branch.ts'),
  'exchange rollback': () => import('./verbs/exchange-rollback.ts'),
  'exchange answer': () => import('./verbs/exchange-answer.ts'),
  'exchange terms': () => import('./verbs/exchange-terms.ts'),
  'exchange compare': () => import('./verbs/exchange-compare.ts'),
  'exchange map': () => import('./verbs/exchange-map.ts'),
  'exchange export': () => import('./verbs/exchange-export.ts'),
  'exchange reembed': () => import('./verbs/exchange-reembed.ts'),
  'exchange score': () => import('./verbs/exchange-score.ts'),
  init: () => import('./verbs/init.ts'),
  list: () => import('./verbs/list.ts'),
  show: () => import('./verbs/show.ts'),
  verify: () => import('./verbs/verify.ts'),
  export: async () => ({ run: (await import('./verbs/traces.ts')).exporting }),
  resume: async () => ({ run: (await import('./verbs/continue.ts')).resuming }),
  fork: async () => ({ run: (await import('./verbs/continue.ts')).forking }),
  abort: async () => ({ run: (await import('./verbs/continue.ts')).aborting }),
  replay: async () => ({ run: (await import('./verbs/traces.ts')).replaying }),
  prove: async () => ({ run: (await import('./verbs/traces.ts')).proving }),
  redact: async () => ({ run: (await import('./verbs/traces.ts')).redacting }),
  'keys list': () => import('./verbs/keys-list.ts'),
  'keys add': () => import('./verbs/keys-add.ts'),
  'keys rotate': () => import('./verbs/keys-rotate.ts'),
  'keys passphrase': () => import('./verbs/keys-passphrase.ts'),
  'keys revoke': () => import('./verbs/keys-revoke.ts'),
  doctor: () => import('./verbs/doctor.ts'),
  mcp: async ({ serveMcp }) => ({ run: (await import('./verbs/mcp.ts')).mcpVerb(await serveMcp()) }),
  trust: () => import('./verbs/trust.ts'),
  completion: () => import('./verbs/completion.ts'),
}
