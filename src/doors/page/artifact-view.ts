// An artifact as the trace names it, with the status of its bytes: checked here, altered, not included,
// erased or missing. Only bytes that hash to their name are called checked; text is shown, of anything else
// only the size.

import { fromUtf8 } from '../../ledger/bytes.ts'
import type { Artifact } from '../../ledger/event.ts'
import { bytes, type Child, fold, foreignText, h, mono } from './dom.ts'
import type { PageContext } from './examined.ts'
import { longText } from './long-text.ts'

type Fate = 'intact' | 'altered' | 'omitted' | 'erased' | 'missing'

export function fateOf(scene: PageContext, { hash, size }: Artifact): Fate {
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

export function artifactView(scene: PageContext, artifact: Artifact): HTMLElement {
  const fate = fateOf(scene, artifact)
  const { text, tone } = WORDS[fate]
  const content = scene.cargo.artifacts.get(artifact.hash)
  const facts = [`${bytes(artifact.size)}, `, foreignText(artifact.media_type), ' · ', h('span', tone, text)]
  return h(
    'div',
    'artifact',
    h('p', '', h('strong', '', foreignText(artifact.name)), h('span', 'muted', ' ', ...facts)),
    h('p', '', mono(artifact.hash)),
    content ? fold('preview', h('summary', '', 'Show content'), () => preview(content)) : null,
  )
}
