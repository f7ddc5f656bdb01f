// A payload as a reader wants it: names and values, text as text. What is text and what is a number, true, false or
// null stays told apart by form. A payload can hold half a million values; only so many are ever laid out.

import { bundleLines } from '../../ledger/bundle/lines.ts'
import { fromUtf8 } from '../../ledger/bytes.ts'
import { canonicalize, type Json } from '../../ledger/canonical.ts'
import type { Artifact, Payload } from '../../ledger/event.ts'
import type { Cargo } from './blocks.ts'
import { bytes, type Child, fold, h, longText, mono, rows, said } from './dom.ts'
import type { Scene } from './scene.ts'

const MOST_VALUES = 1_000
const DEEPEST = 8
const SHORT = 120

interface Budget {
  left: number
}

const more = (n: number): HTMLElement => h('p', 'muted', `… and ${n.toLocaleString('en')} more`)

function text(value: string): Child {
  if (value === '') return h('span', 'muted', 'empty text')
  return value.length <= SHORT && !value.includes('\n') ? said(value) : longText(value)
}

function members(object: Payload, depth: number, budget: Budget): Child {
  const all = Object.entries(object)
  if (all.length === 0) return h('span', 'muted', 'empty')
  const shown: (readonly [string, Child])[] = []
  for (const [name, value] of all) {
    if (budget.left <= 0) break
    shown.push([name, view(value, depth + 1, budget)])
  }
  return [rows(shown), shown.length < all.length ? more(all.length - shown.length) : null]
}

function items(list: readonly Json[], depth: number, budget: Budget): Child {
  if (list.length === 0) return h('span', 'muted', 'empty list')
  const shown: HTMLElement[] = []
  for (const value of list) {
    if (budget.left <= 0) break
    shown.push(h('li', '', view(value, depth + 1, budget)))
  }
  return [h('ol', 'items', shown), shown.length < list.length ? more(list.length - shown.length) : null]
}

function view(value: Json, depth: number, budget: Budget): Child {
  budget.left--
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return h('code', 'literal', String(value))
  if (depth > DEEPEST) return longText(JSON.stringify(value), 'text code')
  return Array.isArray(value) ? items(value, depth, budget) : members(value as Payload, depth, budget)
}

/** The artifacts of a payload are shown apart, with their bytes. */
export function payloadView(payload: Payload): Child {
  const { artifacts, ...rest } = payload
  if (artifacts !== undefined && Object.keys(rest).length === 0) return null
  return members(rest, 0, { left: MOST_VALUES })
}

const TELLING = ['text', 'question', 'objective', 'message', 'reason', 'title', 'name', 'tool', 'action']
const EXCERPT = 120

/** One line that tells what the event is about, where its payload has such a line. */
export function excerpt(payload: Payload): string | null {
  for (const name of TELLING) {
    const value = payload[name]
    if (typeof value !== 'string' || value === '') continue
    const line = value.slice(0, EXCERPT).replaceAll(/\s+/g, ' ')
    return value.length > EXCERPT ? `${line}…` : line
  }
  return null
}

// An artifact as the trace names it, with what became of its bytes: checked here, altered, not included, erased or
// missing. Only bytes that hash to their name are called checked; text is shown, anything else only measured.

type Fate = 'intact' | 'altered' | 'omitted' | 'erased' | 'missing'

export function fateOf(scene: Scene, { hash, size }: Artifact): Fate {
  const answer = scene.artifacts.get(hash)
  if (answer) return answer.state === 'intact' && answer.size === size ? 'intact' : 'altered'
  if (scene.erased.has(hash)) return 'erased'
  return scene.inquiry.bundle.omitted.includes(hash) ? 'omitted' : 'missing'
}

const WORDS: Readonly<Record<Fate, { readonly text: string; readonly tone: string }>> = {
  intact: { text: 'bytes checked', tone: 'pass' },
  altered: { text: 'altered: other bytes than named', tone: 'fail' },
  omitted: { text: 'not included, not checked', tone: 'warning' },
  erased: { text: 'erased, not checked', tone: 'warning' },
  missing: { text: 'missing', tone: 'fail' },
}

function preview(content: Uint8Array): Child {
  if (content.length === 0) return h('p', 'muted', 'The artifact is empty.')
  const text = fromUtf8(content)
  return text === null ? h('p', 'muted', 'Not text; no preview.') : longText(text, 'text code')
}

export function artifactView(scene: Scene, artifact: Artifact): HTMLElement {
  const fate = fateOf(scene, artifact)
  const { text, tone } = WORDS[fate]
  const content = scene.cargo.artifacts.get(artifact.hash)
  const facts = [`${bytes(artifact.size)}, `, said(artifact.media_type), ' · ', h('span', tone, text)]
  return h(
    'div',
    'artifact',
    h('p', '', h('strong', '', said(artifact.name)), h('span', 'muted', ' ', ...facts)),
    h('p', '', mono(artifact.hash)),
    content ? fold('preview', h('summary', '', 'Show content'), () => preview(content)) : null,
  )
}

// Hands the reader the bundle out of the page, as the file that `witan verify` reads: a page made by someone else
// is not the best judge of what it carries.

function bundleFile({ bundle, artifacts }: Cargo): Blob {
  const parts: BlobPart[] = []
  for (const line of bundleLines(bundle)) parts.push(`${line}\n`)
  for (const [artifact, content] of artifacts) {
    const line = canonicalize({ artifact, size: content.length })
    parts.push(`${line}\n`, new Uint8Array(content), '\n')
  }
  parts.push(`${canonicalize({ artifacts: artifacts.size, end: true })}\n`)
  return new Blob(parts, { type: 'application/octet-stream' })
}

/** The name comes from a trace id, which holds letters and digits only. */
export function save(cargo: Cargo): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bundleFile(cargo))
  link.download = `${cargo.bundle.trace}.witan`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
