// The built files of the page, held in memory: a request names one of them or nothing. The policy that goes
// with each lets the page run its own scripts and contact its own server, and nothing else; no script of it
// can turn text into markup.

import { readdir, readFile } from 'node:fs/promises'
import { WitanError } from '../../ledger/errors.ts'

const KINDS: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** dist/ is at the same distance from the source and from the built file. */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = new URL('../../../dist/console/', import.meta.url)
  try {
    const files = new Map<string, PageFile>()
    for (const name of await readdir(folder)) {
      const type = KINDS[name.split('.').at(-1) ?? '']
      if (type) files.set(name, { type, bytes: new Uint8Array(await readFile(new URL(name, folder))) })
    }
    if (files.has('main.js') && files.has('main.css')) return files
    throw new Error('main.js or main.css is missing')
  } catch (cause) {
    throw new WitanError(
      'FILE_NOT_FOUND',
      'the files of the console page are missing',
      'Install Witan again, or run `npm run build` in its source.',
      { cause },
    )
  }
}

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `img-src 'self' data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ')

/** Sent with every answer. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

const head = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
`

export const PAGE = `${head('Witan')}<link rel="stylesheet" href="/a/main.css">
<script type="module" src="/a/main.js"></script>
</head>
<body><div id="console"><p class="loading">Loading…</p></div></body>
</html>
`

/** Shown to visitors without access. */
export const refusalPage = (title: string, words: string): string => `${head(title)}</head>
<body><main><h1>${title}</h1><p>${words}</p></main></body>
</html>
`
