// Where the code of each command is. Nothing of it is loaded before it is asked for: a command pays only for itself.

import type { Verb } from './command.ts'
import type { CommandName } from './commands.ts'

export const VERBS: Readonly<Record<CommandName, () => Promise<{ readonly run: Verb }>>> = {
  ask: () => import('./verbs/ask.ts'),
  review: () => import('./verbs/review.ts'),
  council: () => import('./verbs/council.ts'),
  init: () => import('./verbs/init.ts'),
  list: () => import('./verbs/list.ts'),
  show: () => import('./verbs/show.ts'),
  verify: () => import('./verbs/verify.ts'),
  export: () => import('./verbs/export.ts'),
  resume: () => import('./verbs/resume.ts'),
  fork: () => import('./verbs/fork.ts'),
  abort: () => import('./verbs/abort.ts'),
  replay: () => import('./verbs/replay.ts'),
  prove: () => import('./verbs/prove.ts'),
  redact: () => import('./verbs/redact.ts'),
  'keys list': () => import('./verbs/keys-list.ts'),
  'keys add': () => import('./verbs/keys-add.ts'),
  'keys rotate': () => import('./verbs/keys-rotate.ts'),
  'keys revoke': () => import('./verbs/keys-revoke.ts'),
  doctor: () => import('./verbs/doctor.ts'),
  mcp: () => import('./verbs/mcp.ts'),
  trust: () => import('./verbs/trust.ts'),
  completion: () => import('./verbs/completion.ts'),
}
