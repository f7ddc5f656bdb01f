// One HTML file that loads nothing and runs nothing: its policy forbids every source but the one style that stands in
// it. Title and body come escaped.

import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64, utf8 } from '../ledger/bytes.ts'

const policyFor = (style: string): string =>
  [
    `default-src 'none'`,
    `style-src 'sha256-${toBase64(sha256(utf8(style)))}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')

export interface PassivePage {
  readonly title: string
  readonly style: string
  readonly body: string
}

export const passivePage = ({ title, style, body }: PassivePage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(style)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
