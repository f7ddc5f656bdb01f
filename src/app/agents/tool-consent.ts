// Consent to show what tools read to providers. What a session's tools read in its folders is in the prompts
// of all its models, and a task may come with a cloned repository: it names the folder and the models, so it
// cannot consent itself.

import { realpath } from 'node:fs/promises'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { CouncilTable } from '../council/council-table.ts'
import { type Consent, obtainConsent } from '../person.ts'
import type { SessionEquipment } from './session-equipment.ts'
import type { TaskFile } from './task-file.ts'

const EMBEDDED = 'embedded'

/** Who would receive content of the folder, by provider: models of the task and a council among its critics. */
export function recipientsOf(
  minds: Iterable<Pick<AskableSeat, 'provider'>>,
  table: CouncilTable | null,
): readonly string[] {
  const providers = [...minds, ...(table?.records ?? [])].map(({ provider }) => provider)
  return [...new Set(providers)].filter((provider) => provider !== EMBEDDED)
}

async function listFolders(
  task: TaskFile,
  { operator }: Pick<SessionEquipment, 'operator'>,
): Promise<readonly string[]> {
  const [, ...others] = operator.bounds.roots
  const there = await Promise.all(others.map(({ path }) => realpath(path).catch(() => null)))
  return [...new Set([await realpath(task.workspace), ...there.flatMap((path) => path ?? [])])]
}

export interface ToolsAndModels {
  readonly task: TaskFile
  readonly bench: Pick<SessionEquipment, 'operator'>
  readonly minds: ReadonlyMap<string, AskableSeat>
  readonly table: CouncilTable | null
}

/** Returns when output of tools may be shown, before anything is recorded; throws otherwise. */
export async function askToShow(
  home: string,
  { task, bench, minds, table }: ToolsAndModels,
  /** `command`: what a person types to allow it. */
  { person, consented, command }: Pick<Consent, 'person' | 'consented'> & { readonly command: string },
): Promise<void> {
  const providers = recipientsOf(minds.values(), table)
  const { tools = [] } = task
  if (providers.length === 0 || tools.length === 0) return
  const folders = await listFolders(task, bench)
  const material = { kind: 'session', task: task.file, tools } as const
  await obtainConsent(
    home,
    { folders, providers, material },
    {
      person,
      consented,
      chosen: task.trusted,
      unasked: { why: 'there is no terminal to ask on', next: `A person allows it once: ${command}` },
      instead: 'Write the plan yourself, or name other minds under roles: in the task.',
    },
  )
}
