// The map as one self-contained page that runs nothing and asks for nothing.

import type { MapData } from '../../exchange/map/map.ts'
import { passivePage } from '../passive-page.ts'
import { escaped } from './markup.ts'
import { STYLE } from './palette.ts'
import { mapSvg, mapTitle } from './svg.ts'

const PAGE_STYLE = `${STYLE}body{margin:0;background:#fbfaf7}main{max-width:1240px;margin:0 auto;padding:16px}svg{display:block;width:100%;height:auto}@media(prefers-color-scheme:dark){body{background:#14171c}}`

export const mapPage = (data: MapData): string =>
  passivePage({
    title: `${escaped(mapTitle(data))}: Witan`,
    style: PAGE_STYLE,
    body: mapSvg(data, { style: false }),
  })
