// The colours of a map in light and in dark. Colours of themes differ in lightness too, so that they can be
// distinguished without colour; nothing is fetched.

export const COLOURS = 10

const LIGHT = '#3566b8 #c2571a #2f8f5b #a3388f #8a7a12 #d0435c #1793a5 #6a4fc4 #7d5a3c #5c6f7d'.split(' ')

const DARK = '#7aa7f5 #f0945c #63c892 #df85cd #cdbb4a #f5899b #58cfe0 #ab97f5 #c79a76 #9fb3c1'.split(' ')

const fills = (colours: readonly string[]): string =>
  colours.map((colour, i) => `.c${i}{fill:${colour}}`).join('')

/** For the picture: lines are visible together with their message only. */
export const PICTURE_STYLE = [
  'svg{font:13px/1.4 system-ui,sans-serif;color:#1d2430;background:#fbfaf7}',
  'text{fill:currentColor}.head{font-size:20px;font-weight:650}.muted{opacity:.66}.small{font-size:11px}',
  '.frame{fill:none;stroke:currentColor;stroke-opacity:.16}.none{fill:currentColor;fill-opacity:.4}',
  '.line{stroke:none}.m:hover .line,.m:focus .line{stroke:currentColor;stroke-opacity:.75;stroke-width:1.4}',
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

const swatches = (colours: readonly string[]): string =>
  colours.map((colour, i) => `--c${i}:${colour};`).join('')

/** For the page: one column on a narrow window, the map beside its legend on a wide one. */
export const PAGE_STYLE = `
:root {
  --paper: #faf9f6; --sheet: #ffffff; --ink: #1d2430; --muted: #5b6169; --line: #dedad1; --accent: #254e83;
  --bad: #b3261e; --none: #8b8f96; ${swatches(LIGHT)}
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --sheet: #1b1f26; --ink: #e6e3dc; --muted: #a5a6a4; --line: #353a42; --accent: #9cc1f2;
    --bad: #ff8a80; --none: #7f858d; ${swatches(DARK)}
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 78rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
h1 { margin: 0; font: 700 clamp(1.25rem, 4.5vw, 1.75rem)/1.25 Charter, "Bitstream Charter", Cambria, Georgia, serif; overflow-wrap: anywhere; }
h2 { margin: 0 0 .35rem; font-size: 1rem; }
.muted { color: var(--muted); } .small { font-size: .875rem; } p { margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
.notice { color: var(--bad); font-weight: 600; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 1rem 1.5rem; align-items: start; }
.stage { position: relative; }
canvas { display: block; width: 100%; border: 1px solid var(--line); border-radius: 8px; background: var(--sheet); touch-action: pan-y; }
.field { height: clamp(20rem, 62vh, 40rem); cursor: crosshair; }
.strip { height: 3.5rem; margin-top: .5rem; }
.time { display: flex; gap: .75rem; align-items: center; margin-top: .25rem; }
.time input { flex: 1; min-width: 6rem; accent-color: var(--accent); height: 2rem; }
.time output { min-width: 8.5rem; font-variant-numeric: tabular-nums; }
fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 .5rem; padding: 0; border: 0; }
legend { float: left; margin-right: 1rem; padding: 0; color: var(--muted); line-height: 2rem; }
fieldset label { display: inline-flex; align-items: center; gap: .35rem; min-height: 2rem; }
ul { list-style: none; margin: 0; padding: 0; }
.groups button { display: grid; grid-template-columns: 1rem minmax(0, 1fr) auto; gap: .5rem; align-items: baseline; width: 100%; padding: .3rem .4rem; border: 1px solid transparent; border-radius: 6px; background: none; color: inherit; font: inherit; font-size: .9375rem; text-align: start; cursor: pointer; overflow-wrap: anywhere; }
.groups button:hover { border-color: var(--line); background: var(--sheet); }
.groups button[aria-pressed="true"] { border-color: var(--accent); background: var(--sheet); }
.groups i { width: .75rem; height: .75rem; border-radius: 50%; align-self: center; }
.groups span:last-child { color: var(--muted); font-variant-numeric: tabular-nums; }
.reading { margin-top: .75rem; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--sheet); min-height: 8.5rem; }
.reading p { margin: 0 0 .4rem; } .reading .text { white-space: pre-wrap; max-height: 18rem; overflow: auto; }
.reading button, .steps button { padding: 0; border: 0; background: none; color: var(--accent); font: inherit; font-size: .875rem; text-decoration: underline; cursor: pointer; }
.escape { border: 1px solid; border-radius: 3px; padding: 0 2px; color: var(--bad); font: 600 .72em ui-monospace, monospace; }
.asks { color: var(--bad); font-weight: 600; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
${Array.from({ length: COLOURS }, (_, i) => `.swatch-${i} { background: var(--c${i}); }`).join(' ')} .swatch-none { background: var(--none); }
@media (max-width: 52rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .field { height: min(24rem, 58vh); }
  .time output { min-width: 7rem; }
}
`
