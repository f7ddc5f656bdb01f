// How a report looks: ink on paper in both schemes and in print, every pair at least 4.5 : 1. Colour never says anything
// that a word beside it does not. What matters is large and first; what is seldom read is folded or small.

export const STYLE = `
:root {
  --paper: #faf9f6; --sheet: #ffffff; --ink: #1d1c1a; --muted: #5f5c55; --line: #dedad1; --accent: #254e83;
  --good: #17643a; --good-ground: #e7f2ea; --open: #774700; --open-ground: #fcf1da;
  --bad: #a01812; --bad-ground: #fcebe8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151513; --sheet: #1d1d1a; --ink: #ebe9e3; --muted: #a5a198; --line: #383630; --accent: #9cc1f2;
    --good: #7fd3a0; --good-ground: #142a1d; --open: #efc069; --open-ground: #2e2410;
    --bad: #ff9d92; --bad-ground: #371512;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
p, li, dd, pre, summary { overflow-wrap: anywhere; unicode-bidi: plaintext; }
p { margin: .5rem 0; }
a { color: var(--accent); }
h1, h2 { font-family: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; line-height: 1.2; }
h1 { margin: 0; font-size: clamp(1.7rem, 6vw, 2.4rem); }
h2 { margin: 2rem 0 .25rem; font-size: 1.25rem; }
.verdict { padding: 1.1rem 1.25rem; border-left: .4rem solid var(--muted); background: var(--sheet); margin-bottom: 1rem; }
.verdict p { margin: .3rem 0 0; color: var(--muted); }
.verdict.good { border-color: var(--good); background: var(--good-ground); }
.verdict.good h1 { color: var(--good); }
.verdict.open { border-color: var(--open); background: var(--open-ground); }
.verdict.open h1 { color: var(--open); }
.verdict.bad { border-color: var(--bad); background: var(--bad-ground); }
.verdict.bad h1 { color: var(--bad); }
.verdict .conclusion { margin: .35rem 0 .5rem; color: var(--ink); font-size: 1.1875rem; line-height: 1.45; }
.verdict .about { margin-top: .8rem; color: var(--ink); font-style: italic; }
main > .verdict ~ p { font-size: 1.0625rem; }
.notice { padding: .5rem 1rem; background: var(--open-ground); color: var(--open); font-weight: 600; font-size: 1rem; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: .6rem 0; border-top: 1px solid var(--line); }
h2 + ul > li:first-child { border-top-width: 2px; }
li > p:first-child { margin-top: 0; }
li > p, li > div > p { margin: .15rem 0; }
li > div > p:first-child { margin-top: 0; }
.marked { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: 0 .75rem; }
.lead { font-weight: 650; }
.lead.good { color: var(--good); }
.lead.open { color: var(--open); }
.lead.bad { color: var(--bad); }
.folded summary { cursor: pointer; font-weight: 650; }
.folded details[open] > summary { margin-bottom: .35rem; }
.folded div:target { padding-left: .75rem; border-left: 3px solid var(--accent); }
.folded p { margin: .35rem 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { margin: .25rem 0 0; }
dl div { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: .75rem; padding: .1rem 0; }
dt { color: var(--muted); overflow-wrap: anywhere; }
dd { margin: 0; min-width: 0; }
.notes { margin-top: .1rem; font-size: .9375rem; }
.notes div { display: block; }
.notes dt { display: inline; }
.notes dt::after { content: ": "; }
.notes dd { display: inline; }
.facts { padding-top: .5rem; border-top: 2px solid var(--line); font-size: .9375rem; }
.facts dd { font-variant-numeric: tabular-nums; }
pre {
  margin: .5rem 0; padding: .7rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .35rem;
  font: .93rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
}
@media (max-width: 34rem) { .marked { display: block; } .facts div { grid-template-columns: 5.5rem minmax(0, 1fr); } }
@media print {
  :root { --paper: #fff; --sheet: #fff; --ink: #000; --muted: #444; --line: #bbb; --accent: #000;
    --good: #17643a; --good-ground: #fff; --open: #774700; --open-ground: #fff; --bad: #a01812; --bad-ground: #fff; }
  main { max-width: none; padding: 0; }
  li, .verdict, .notice, pre { break-inside: avoid; }
  .verdict, .notice { border: 1px solid var(--line); }
  h2 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`
