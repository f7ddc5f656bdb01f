// The map as one self-contained page: its data in one block that nothing in it can end, its one script under
// a policy that allows no other, and nothing that could contact anyone.

import { sha256 } from '@noble/hashes/sha2.js'
import type { MapData } from '../../exchange/map/map.ts'
import { toBase64, utf8 } from '../../ledger/bytes.ts'
import { forHtml as escaped, forDataBlock } from '../../ledger/text/neutral.ts'
import { PAGE_STYLE } from './colours.ts'
import { mapTitle } from './picture.ts'

const policyHash = (text: string): string => `'sha256-${toBase64(sha256(utf8(text)))}'`

const policyFor = (script: string): string =>
  [
    `default-src 'none'`,
    `script-src ${policyHash(script)}`,
    `style-src ${policyHash(PAGE_STYLE)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')

const inBlock = (value: object): string => forDataBlock(JSON.stringify(value))

/** `script` is the built program of the page. */
export const mapPage = (data: MapData, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(mapTitle(data))}: Witan</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(mapTitle(data))}</h1>
<noscript><p class="notice">The map is drawn by a script of this page. Without scripts, draw a picture instead: witan exchange map TRACE -o map.svg</p></noscript>
</main>
<script type="application/json" id="map">${inBlock(data)}</script>
<script>${script}</script>
</body>
</html>
`
