// The map as one self-contained page: no script, no request, and a policy that allows its own style and nothing else.

import { createHash } from 'node:crypto'
import type { MapData } from '../../exchange/map/map.ts'
import { escaped } from './markup.ts'
import { STYLE } from './palette.ts'
import { mapSvg, mapTitle } from './svg.ts'

const PAGE_STYLE = `${STYLE}body{margin:0;background:#fbfaf7}main{max-width:1240px;margin:0 auto;padding:16px}svg{display:block;width:100%;height:auto}@media(prefers-color-scheme:dark){body{background:#14171c}}`

const policy = (): string => {
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

export const mapPage = (data: MapData): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(mapTitle(data))}: Witan</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
${mapSvg(data, { style: false })}
</main>
</body>
</html>
`
