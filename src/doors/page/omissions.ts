// What is not in this file. It is listed separately, because what is absent cannot be seen and must not be
// taken for checked.

import { artifactsOf } from '../../ledger/event.ts'
import { fateOf } from './artifact-view.ts'
import { bytes, type Child, count, foreignText, h, mono } from './dom.ts'
import type { PageContext } from './examined.ts'

const MOST = 100
const REASONS = {
  omitted: 'not included: over the size limit of this file; not checked',
  erased: 'erased under a recorded redaction; not checked',
  missing: 'missing without a reason',
} as const
function artifactLines(scene: PageContext): HTMLElement[] {
  const lines = new Map<string, HTMLElement>()
  for (const section of [...scene.inquiry.ancestors, scene.inquiry.main]) {
    for (const { payload } of section.events) {
      if (typeof payload !== 'object' || !payload) continue
      for (const artifact of artifactsOf(payload)) {
        const fate = fateOf(scene, artifact)
        if (fate === 'intact' || fate === 'altered' || lines.has(artifact.hash)) continue
        const text = [
          'Artifact ',
          foreignText(artifact.name),
          ` (${bytes(artifact.size)}) ${REASONS[fate]}. `,
        ]
        lines.set(artifact.hash, h('li', '', text, mono(artifact.hash)))
      }
    }
  }
  return [...lines.values()]
}

function erasedLines(scene: PageContext): HTMLElement[] {
  return [scene.inquiry.main, ...scene.inquiry.ancestors].flatMap((section) =>
    section.events.flatMap((read) => {
      const redaction = read.payload === null ? scene.erased.get(read.id) : undefined
      if (!redaction) return []
      const text = [
        'Content of event ',
        read.id,
        ', erased by ',
        foreignText(redaction.by),
        ': ',
        foreignText(redaction.reason),
      ]
      return [h('li', '', text)]
    }),
  )
}

function generalLines({ inquiry, report }: PageContext): HTMLElement[] {
  const { bundle, main, registry } = inquiry
  const lines: string[] = []
  if (bundle.content === 'none')
    lines.push('All payloads and artifacts: this file holds headers, signatures and proofs only.')
  if (main.form === 'sparse')
    lines.push(`All but ${count(main.events.length, 'event')} of the ${report?.size ?? '?'} in the trace.`)
  const leftOutCount = (report?.registry.size ?? 0) - registry.events.length
  if (registry !== main && leftOutCount > 0)
    lines.push(
      `${count(leftOutCount, 'registry event')} that this trace does not rely on; every one about keys is here.`,
    )
  return lines.map((line) => h('li', '', line))
}

/** A limit is stated to the byte. */
const exactly = (size: number): string =>
  size < 1024 ? bytes(size) : `${size.toLocaleString('en')} bytes (${bytes(size)})`

export function omissions(scene: PageContext): Child {
  const lines = [...generalLines(scene), ...artifactLines(scene), ...erasedLines(scene)]
  const limit = `Artifacts over ${exactly(scene.cargo.artifactLimit)} were not put into this page.`
  const rest = lines.length - MOST
  return [
    h('p', 'muted', limit),
    lines.length === 0 ? h('p', '', 'Nothing was left out.') : h('ul', '', lines.slice(0, MOST)),
    rest > 0 ? h('p', 'muted', `… and ${rest.toLocaleString('en')} more.`) : null,
  ]
}
