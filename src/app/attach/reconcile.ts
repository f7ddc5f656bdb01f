// Before an attached session ends, what its hooks told is held against what the host keeps itself. A call that was announced
// and whose end only the transcript knows is ended by it; a call that no hook told of is a gap, and so are hooks that
// are no longer those that were attached.

import { gapKey } from '../../agents/attached/attached.ts'
import type { Intent, SessionState } from '../../agents/state.ts'
import type { Json } from '../../ledger/canonical.ts'
import { inputHash } from '../../tools/toolset.ts'
import { openLog } from '../agents/decide.ts'
import { withoutTypedSecrets } from '../person.ts'
import type { AttachedSession } from './attached-session.ts'
import { type Attachment, shortName } from './attachments.ts'
import { hooksIn } from './host-settings.ts'
import { callsInTranscript, type TranscriptCall } from './transcript.ts'

/** More gaps than this are counted in the last of them. */
const MOST_GAPS = 100
const MOST_PARTS = 100

/** What we told the host ourselves when we denied a call. */
const OURS = /Witan(?: blocked|:) p1-i\d+/

/** Hosts that name their calls are matched by name; of the others the same calls are counted. */
class Known {
  readonly #byCall: ReadonlyMap<string, Intent>
  readonly #left = new Map<string, Intent[]>()

  constructor(intents: readonly Intent[], named: boolean) {
    this.#byCall = new Map(named ? intents.map((intent) => [intent.call ?? '', intent]) : [])
    for (const intent of intents) {
      const key = `${intent.tool} ${intent.inputHash}`
      this.#left.set(key, [...(this.#left.get(key) ?? []), intent])
    }
  }

  find({ call, tool, result }: TranscriptCall, hash: string | null, named: boolean): Intent | null {
    const same = this.#left.get(`${tool} ${hash}`) ?? []
    if (!named) return same.shift() ?? null
    const known = this.#byCall.get(call)
    if (known) return known
    // Denied for want of an answer, and tried again: the intent is that of the first time.
    const isDenied = result !== null && OURS.test(JSON.stringify(result.output))
    return isDenied ? (same[0] ?? null) : null
  }
}

/** Of all parts of the host's session: its transcript goes through all of them. */
async function earlierParts(session: AttachedSession): Promise<readonly SessionState[]> {
  const parts: SessionState[] = []
  let trace = session.state.task?.continues
  while (trace !== undefined && parts.length < MOST_PARTS) {
    const { inner } = (await openLog(session.ports, trace)).state
    parts.push(inner)
    trace = inner.task?.continues
  }
  return parts
}

/** Parts number their intents alike; the event that signed one is its own. */
function isUnderWayIn({ intents }: SessionState, { id, hash }: Intent): boolean {
  const own = intents.get(id)
  return own?.hash === hash && own.status === 'started'
}

/** A transcript may hold what is no text, such as half of a character: no intent was signed of that. */
function hashOf(input: Json): string | null {
  try {
    return inputHash(input)
  } catch {
    return null
  }
}

export async function reconcile(
  session: AttachedSession,
  attachment: Attachment,
  transcript: string | null,
): Promise<void> {
  await session.log.refresh()
  const { host, file, hooks } = attachment
  const parts = [session.state, ...(await earlierParts(session))]
  const gaps = new Set(parts.flatMap((part) => part.gaps))
  const note = async (gap: Parameters<AttachedSession['gap']>[0]): Promise<void> => {
    if (!gaps.has(gapKey(gap))) await session.gapOnce(gap)
  }
  if ((await hooksIn(host, file)) !== hooks) {
    const reason = 'the settings of the host no longer hold the hooks that were attached'
    await note({ why: 'hooks_changed', tool: null, call: null, reason })
  }
  // Codex tells its hooks other names and inputs than stand in its transcript; there only the ids of calls are compared.
  const named = host !== 'gemini'
  const known = new Known(
    parts.flatMap(({ intents }) => [...intents.values()]),
    named,
  )
  let unseen = 0
  for (const call of (await callsInTranscript(host, transcript)) ?? []) {
    const { value: input } = await withoutTypedSecrets(call.input)
    const intent = known.find(call, hashOf(input), named)
    if (!intent) {
      if (call.refused) continue
      if (++unseen > MOST_GAPS) continue
      const reason = call.result ? 'it has a result there' : 'it has no result there'
      const about = { tool: shortName(call.tool), call: shortName(call.call) }
      await note({ why: 'unseen', ...about, reason })
    } else if (call.result && isUnderWayIn(session.state, intent)) {
      const { ok, output } = call.result
      await session.finish({ tool: intent.tool, input, call: intent.call, ok, output, from: 'transcript' })
    }
  }
  if (unseen > MOST_GAPS) {
    const reason = `${unseen - MOST_GAPS} more calls stand there alone`
    await note({ why: 'unseen', tool: null, call: null, reason })
  }
}
