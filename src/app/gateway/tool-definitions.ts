// The tools of a server as the host is told of them, and which of them were approved as they are. What is approved is the whole
// definition: a server that was harmless when it was added can describe its tools otherwise later. The first definition
// that is seen under the name of a gateway counts as approved by adding it; any other needs a person.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalize } from '../../ledger/canonical.ts'
import { hinted } from '../../tools/mcp/mcp.ts'
import type { ToolDefinition } from '../../tools/toolset.ts'
import { folderIn } from '../attach/attachments.ts'
import { readKept, writeKept } from '../home/files.ts'
import { type Fields, isFields, textIn } from './messages.ts'

export interface Approved {
  readonly hash: string
  readonly at: string
  /** Who approved it anew; absent where it was the first. */
  readonly by?: string
  /** Another definition that the server offers since, not approved. */
  readonly offered?: { readonly hash: string; readonly definition: Fields; readonly at: string }
}

export type ApprovedTools = Readonly<Record<string, Approved>>

const fileOf = (home: string, gateway: string): string => join(folderIn(home), `${gateway}.tools.json`)

export const approvedTools = async (home: string, gateway: string): Promise<ApprovedTools> =>
  (await readKept<ApprovedTools>(fileOf(home, gateway), {
    read: (value) => (isFields(value) ? (value as never as ApprovedTools) : null),
    of: 'approved tools',
    next: `Remove ${fileOf(home, gateway)}: all tools are then approved as they are first seen.`,
  })) ?? {}

async function keepApproved(home: string, gateway: string, tools: ApprovedTools): Promise<void> {
  await mkdir(folderIn(home), { recursive: true, mode: 0o700 })
  await writeKept(fileOf(home, gateway), tools)
}

/** Definitions are read from messages and never changed: each is hashed once, and not with every call. */
const hashes = new WeakMap<Fields, string>()

/** Of everything that a host is told of a tool; `_meta` is between the programs. */
export function offeredHash(offered: Fields): string {
  const known = hashes.get(offered)
  if (known !== undefined) return known
  const { _meta: _, ...definition } = offered
  const hash = createHash('sha256').update(canonicalize(definition)).digest('hex')
  hashes.set(offered, hash)
  return hash
}

/** What the server offers now, held against what was approved; first sights are approved, others are noted. */
export async function noteOffered(
  home: string,
  gateway: string,
  offered: ReadonlyMap<string, Fields>,
  at: string,
): Promise<ApprovedTools> {
  const known = await approvedTools(home, gateway)
  const next: Record<string, Approved> = { ...known }
  for (const [name, definition] of offered) {
    const hash = offeredHash(definition)
    const knownTool = Object.hasOwn(known, name) ? known[name] : undefined
    if (!knownTool) next[name] = { hash, at }
    else if (knownTool.hash !== hash && knownTool.offered?.hash !== hash)
      next[name] = { ...knownTool, offered: { hash, definition, at } }
    else if (knownTool.hash === hash && knownTool.offered) {
      const { offered: _, ...rest } = knownTool
      next[name] = rest
    }
  }
  if (canonicalize(next) !== canonicalize(known)) await keepApproved(home, gateway, next)
  return next
}

/** Approves what is offered since, for these tools. */
export async function approveOffered(
  home: string,
  gateway: string,
  tools: readonly string[],
  by: string,
  at: string,
): Promise<void> {
  const known = await approvedTools(home, gateway)
  const anew = tools.flatMap((name): [string, Approved][] => {
    const offered = known[name]?.offered
    return offered ? [[name, { hash: offered.hash, at, by }]] : []
  })
  await keepApproved(home, gateway, { ...known, ...Object.fromEntries(anew) })
}

/** As it is recorded. Hints of the server count only where the operator believes them. */
export function recordedDefinition(
  server: string,
  tool: string,
  offered: Fields,
  { believesHints, where }: { readonly believesHints: boolean; readonly where: string | null },
): ToolDefinition {
  const { annotations, inputSchema } = offered
  const hints = isFields(annotations)
    ? (annotations as Parameters<typeof hinted>[0]['annotations'])
    : undefined
  return {
    name: tool,
    description: [textIn(offered, 'title'), textIn(offered, 'description'), where]
      .filter((text) => text !== null)
      .join(': '),
    inputSchema: isFields(inputSchema) ? inputSchema : {},
    effects: believesHints ? hinted({ annotations: hints }) : ['unknown'],
    source: `mcp.${server}`,
  }
}
