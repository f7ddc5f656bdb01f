// What a session would show to whom. What its tools read in its folders stands in the prompts of whoever thinks in it,
// and a task may have come with a clone: it names the folder and the models, so its own word is no consent.

import { realpath } from 'node:fs/promises'
import type { AskableSeat } from '../../clerk/seat.ts'
import { askConsent } from '../../doors/cli/ask-consent.ts'
import type { Call } from '../../doors/cli/command.ts'
import type { CouncilTable } from '../council/council-table.ts'
import type { Home } from '../home/home.ts'
import type { Workbench } from './session-equipment.ts'
import type { TaskFile } from './task-file.ts'

const EMBEDDED = 'embedded'

/** Whoever hears of the folder, by provider: minds of the task and a council among its critics. */
export function hearersOf(
  minds: Iterable<Pick<AskableSeat, 'provider'>>,
  table: CouncilTable | null,
): readonly string[] {
  const providers = [...minds, ...(table?.records ?? [])].map(({ provider }) => provider)
  return [...new Set(providers)].filter((provider) => provider !== EMBEDDED)
}

async function foldersOf(
  task: TaskFile,
  { operator }: Pick<Workbench, 'operator'>,
): Promise<readonly string[]> {
  const [, ...others] = operator.bounds.roots
  const there = await Promise.all(others.map(({ path }) => realpath(path).catch(() => null)))
  return [...new Set([await realpath(task.workspace), ...there.flatMap((path) => path ?? [])])]
}

export interface Showing {
  readonly task: TaskFile
  readonly bench: Pick<Workbench, 'operator'>
  readonly providers: readonly string[]
  /** What a person types to allow it. */
  readonly command: string
}

/** Returns when what the tools read may be shown, before anything is recorded; throws when not. */
export async function askToShow(
  home: Home,
  call: Call,
  { task, bench, providers, command }: Showing,
): Promise<void> {
  if (providers.length === 0 || (task.tools ?? []).length === 0) return
  const folders = await foldersOf(task, bench)
  await askConsent(home.directory, call, {
    folders,
    providers,
    chosen: task.trusted,
    material: { kind: 'session', task: task.file, tools: task.tools ?? [] },
    next: `A person allows it once: ${command}`,
    instead: 'Write the plan yourself, or name other minds under roles: in the task.',
  })
}
