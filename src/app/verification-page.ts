// Makes the self-contained verification page: one file with the bundle, the program that checks it and
// nothing that could contact anyone. Content of the trace is only in data blocks, with every character
// escaped that could end one, under a policy that allows this one script and no other.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Bundle } from '../ledger/bundle/bundle.ts'
import { bundleLines } from '../ledger/bundle/lines.ts'
import { WitanError } from '../ledger/errors.ts'
import { forDataBlock } from '../ledger/text/neutral.ts'
import type { ArtifactSource } from '../stores/bundle-file.ts'

export interface PageOptions {
  /** Artifacts over this many bytes are named as not included. */
  readonly artifactLimit: number
}

/** A string of Node cannot be twice as long, and hardly any browser would open it. */
const MOST_PAGE = 256 << 20

function measure(size: number): number {
  if (size <= MOST_PAGE) return size
  throw new WitanError(
    'USAGE',
    `the page would have over ${MOST_PAGE} bytes`,
    'Give a smaller --artifact-limit, or export a bundle, without --html.',
  )
}

/** What runs and how it looks. */
export interface PageProgram {
  readonly script: string
  readonly style: string
}

/** Programs are built into dist/, which is at the same distance from the source and from the built file. */
export async function builtFile(name: string): Promise<string> {
  try {
    return await readFile(new URL(`../../dist/${name}`, import.meta.url), 'utf8')
  } catch (cause) {
    throw new WitanError(
      'FILE_NOT_FOUND',
      `the program of the page (${name}) is not there`,
      'Install Witan again, or run `npm run build` in its source.',
      { cause },
    )
  }
}

const builtProgram = async (): Promise<PageProgram> => ({
  script: await builtFile('page.js'),
  style: await builtFile('page-style.css'),
})

const block = (kind: 'bundle' | 'artifact' | 'end', json: string): string =>
  `<script type="application/json" data-witan="${kind}">${forDataBlock(json)}</script>\n`

const bundleBlock = (bundle: Bundle): string => {
  const lines: string[] = []
  let size = 0
  for (const line of bundleLines(bundle)) {
    const json = JSON.stringify(line)
    size = measure(size + json.length)
    lines.push(json)
  }
  return block('bundle', `[${lines.join(',\n')}]`)
}

async function base64Of(hash: string, size: number, source: ArtifactSource): Promise<string | null> {
  const stream = await source.openArtifact(hash)
  if (!stream) return null
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (bytes.length === size) return bytes.toString('base64')
  throw new WitanError(
    'ARTIFACT_CORRUPT',
    `artifact ${hash} changed its size while it was read`,
    'Export again.',
  )
}

const policyHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function refuseMarkup({ script, style }: PageProgram): void {
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new WitanError('USAGE', 'the program of the page would end its own element', 'Build it again.')
}

const policy = ({ script, style }: PageProgram): string =>
  [
    `default-src 'none'`,
    `script-src ${policyHash(script)}`,
    `style-src ${policyHash(style)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')

const head = (program: PageProgram): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(program)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not checked yet: Witan</title>
<style>${program.style}</style>
</head>
<body>
<header><p class="brand">Witan</p><p class="muted">A signed record, checked in your browser</p></header>
<main>
<div id="verdict" data-tone="checking">
<p role="status" id="verdict-words"><strong id="verdict-title">Not checked yet</strong> · nothing here is verified until this page has run its script</p>
<div id="verdict-facts"></div>
</div>
</main>
`

/** Like `renderPage`, with a program of the caller's choice. */
export async function composePage(
  program: PageProgram,
  bundle: Bundle,
  artifacts: readonly string[],
  source: ArtifactSource,
  { artifactLimit }: PageOptions,
): Promise<string> {
  refuseMarkup(program)
  const blocks: string[] = []
  const omitted = new Set(bundle.omitted)
  let size = 0
  for (const hash of artifacts) {
    const stat = omitted.has(hash) ? null : await source.statArtifact(hash)
    if (stat && stat.size > artifactLimit) omitted.add(hash)
    if (!stat || omitted.has(hash)) continue
    size = measure(size + (stat.size * 4) / 3)
    const base64 = await base64Of(hash, stat.size, source)
    if (base64 !== null) blocks.push(block('artifact', JSON.stringify({ artifact: hash, base64 })))
  }
  const end = {
    artifact_limit: Math.min(artifactLimit, Number.MAX_SAFE_INTEGER),
    artifacts: blocks.length,
    witan: 'page/1',
  }
  const carried = bundleBlock({ ...bundle, omitted: [...omitted] })
  measure(size + carried.length)
  return [
    head(program),
    carried,
    ...blocks,
    block('end', JSON.stringify(end)),
    `<script>${program.script}</script>\n</body>\n</html>\n`,
  ].join('')
}

/** One HTML file that verifies the bundle wherever it is opened. */
export async function renderPage(
  bundle: Bundle,
  artifacts: readonly string[],
  source: ArtifactSource,
  options: PageOptions,
): Promise<string> {
  return composePage(await builtProgram(), bundle, artifacts, source, options)
}
