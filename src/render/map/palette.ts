// How a map looks in light and in dark. Colours of themes differ in lightness too, so that they can be told apart
// without colour; nothing is fetched.

export const COLOURS = 10

const LIGHT = '#3566b8 #c2571a #2f8f5b #a3388f #8a7a12 #d0435c #1793a5 #6a4fc4 #7d5a3c #5c6f7d'.split(' ')
const DARK = '#7aa7f5 #f0945c #63c892 #df85cd #cdbb4a #f5899b #58cfe0 #ab97f5 #c79a76 #9fb3c1'.split(' ')

const fills = (colours: readonly string[]): string =>
  colours.map((colour, i) => `.c${i}{fill:${colour}}.s${i}{stroke:${colour}}`).join('')

export const STYLE = [
  'svg{font:13px/1.4 system-ui,sans-serif;color:#1d2430;background:#fbfaf7}',
  'text{fill:currentColor}.head{font-size:20px;font-weight:650}.muted{opacity:.66}.small{font-size:11px}',
  '.frame{fill:none;stroke:currentColor;stroke-opacity:.16}.none{fill:currentColor;fill-opacity:.4}',
  '.line{stroke:currentColor;stroke-opacity:.07}.m:hover .line,.m:focus .line{stroke-opacity:.75;stroke-width:1.4}',
  '.dot{stroke:#fbfaf7;stroke-width:1}.m:hover .dot,.m:focus .dot{stroke:currentColor;stroke-width:2}.m:focus{outline:none}',
  '.ask{fill:none;stroke:#b3261e;stroke-width:1.6}.level{fill:none;stroke:#b3261e;stroke-width:2}',
  '.share{fill:none;stroke:currentColor;stroke-opacity:.4}.raised{fill:#b3261e;fill-opacity:.14}',
  '.limit{stroke:currentColor;stroke-opacity:.45;stroke-dasharray:4 4}',
  fills(LIGHT),
  '@media(prefers-color-scheme:dark){svg{color:#e6e3dc;background:#14171c}.dot{stroke:#14171c}',
  '.ask,.level{stroke:#ff8a80}.raised{fill:#ff8a80}',
  fills(DARK),
  '}',
].join('')
