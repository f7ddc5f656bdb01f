// A pending decision with everything that it is about: the call and its arguments, a write as its change to
// the current file, the reason given for it, and what the policy said.

import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Pending } from '../../agents/result.ts'
import type { Claim, SessionState } from '../../agents/state.ts'
import type { Plan, Risk } from '../../agents/task.ts'
import { artifactBytes } from '../../clerk/artifact-bytes.ts'
import type { Json } from '../../ledger/canonical.ts'
import { lineDiff } from '../../ledger/text/line-diff.ts'
import type { Store } from '../../stores/store.ts'
import { readSmallFile } from '../home/files.ts'

/** A pending decision, with what a person needs to know to decide it. */
export interface PendingShown extends Pending {
  /** For an intent: the tool and its input. */
  readonly tool: string | null
  readonly input: Json | null
  /** For a write: what it would change, line by line; null where that is not known. */
  readonly diff: readonly string[] | null
  /** For a write: whether the file exists now; null where that is not known. */
  readonly exists: boolean | null
  /** Where the session works, as far as that is known here. */
  readonly folder: string | null
  /** The tool's own description: where a command runs, and whether it is confined. */
  readonly about_tool: string | null
  /** The reason stated by the intent, the proposal or the claim itself. */
  readonly reason: string
  /** The policy's decision on an intent. */
  readonly policy: {
    readonly decision: string
    readonly needs: string
    readonly risk: Risk
    readonly reasons: readonly string[]
  } | null
  /** Of a proposal. */
  readonly plan: Plan | null
  /** Of a claim. */
  readonly claim: Pick<Claim, 'text' | 'confidence' | 'evidence'> | null
}

const isMissing = (error: unknown): boolean =>
  ['FILE_NOT_FOUND', 'ENOENT'].includes((error as { readonly code?: string }).code ?? '')

/** Null for a file that does not exist; undefined where access is not allowed or the file is not text. */
async function readText(workspace: string, path: string): Promise<string | null | undefined> {
  const root = await realpath(workspace)
  const place = resolve(root, path)
  if (!place.startsWith(root + sep)) return undefined
  try {
    const real = await realpath(place)
    if (!real.startsWith(root + sep)) return undefined
    return new TextDecoder('utf-8', { fatal: true }).decode(await readSmallFile(real))
  } catch (error) {
    return isMissing(error) ? null : undefined
  }
}

type Edits = readonly { readonly find?: unknown; readonly replace?: unknown; readonly all?: unknown }[]

/** Applies edits like `files.patch`; null where an edit does not fit. */
function edited(text: string, edits: Edits): string | null {
  let now = text
  for (const { find, replace, all } of edits) {
    if (typeof find !== 'string' || typeof replace !== 'string' || find === '') return null
    const times = now.split(find).length - 1
    if (times === 0 || (times > 1 && all !== true)) return null
    now = now.split(find).join(replace)
  }
  return now
}

/** What a write would change, and whether the file exists; null where that is not known. */
interface Change {
  readonly diff: readonly string[] | null
  readonly exists: boolean | null
}

const UNKNOWN: Change = { diff: null, exists: null }

/** In the current workspace. */
async function readChange(tool: string, input: Json | null, workspace: string | null): Promise<Change> {
  if (workspace === null || input === null || typeof input !== 'object' || Array.isArray(input))
    return UNKNOWN
  const { path, content, edits, root = 'workspace' } = input as { readonly [name: string]: Json }
  if (typeof path !== 'string' || root !== 'workspace') return UNKNOWN
  if (tool !== 'files.write' && tool !== 'files.patch') return UNKNOWN
  const before = await readText(workspace, path).catch(() => undefined)
  if (before === undefined) return UNKNOWN
  const exists = before !== null
  if (tool === 'files.write')
    return { exists, diff: typeof content === 'string' ? lineDiff(before, content) : null }
  const after = before === null || !Array.isArray(edits) ? null : edited(before, edits as Edits)
  return { exists, diff: after === null ? null : lineDiff(before, after) }
}

/** What is needed to show a decision. */
export interface ShownFrom {
  readonly workspace: string | null
  /** Holds the recorded definitions of the tools. */
  readonly store: Store | null
}

const MOST_DEFINITION = 100_000

async function aboutTool(definition: string, { store }: ShownFrom): Promise<string | null> {
  const artifact = store && (await store.statArtifact(definition))
  if (!store || !artifact || artifact.size > MOST_DEFINITION) return null
  const bytes = await artifactBytes(store, definition)
  const read: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
  const about = (read as { readonly description?: unknown } | null)?.description
  return typeof about === 'string' ? about : null
}

export async function showPending(
  pending: Pending,
  { intents, proposals, claims }: SessionState,
  from: ShownFrom,
): Promise<PendingShown> {
  const { subject } = pending
  const intent = intents.get(subject)
  const plan = proposals.get(subject)?.plan ?? null
  const { text, confidence, evidence } = claims.get(subject) ?? {
    text: null,
    confidence: 'low',
    evidence: [],
  }
  const assessed = intent?.assessment
  return {
    ...pending,
    tool: intent?.tool ?? null,
    input: intent?.input ?? null,
    ...(intent ? await readChange(intent.tool, intent.input, from.workspace) : UNKNOWN),
    folder: from.workspace,
    about_tool: intent ? await aboutTool(intent.definition, from) : null,
    reason: intent?.justification ?? plan?.objective ?? text ?? '',
    policy: assessed
      ? {
          decision: assessed.decision,
          needs: assessed.needs,
          risk: assessed.risk,
          reasons: [...assessed.deciding, ...assessed.reasons],
        }
      : null,
    plan,
    claim: text === null ? null : { text, confidence, evidence },
  }
}
