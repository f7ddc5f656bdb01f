// Everything in a trace may be written by someone who wants the page to run it or to lie: none of it becomes an
// element, a script or a request, and none of it can hide or turn around what is shown.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { PageProgram } from '../../src/app/verification-page.ts'
import { extract } from '../../src/clerk/extract.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import { reportDigest } from '../../src/ledger/verify/report.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { openBrowser } from '../support/browser.ts'
import { approve, openErrand, performer, runClerk } from '../support/errand-run.ts'
import { errandProgram, pageOf, pin, reportOf, titleOf, unfold, visit } from '../support/page.ts'
import { openPorts } from '../support/ports.ts'
import { checkFile, toFile } from '../support/verification.ts'

const absent = inject('chromiumPath') === null
const title = absent ? 'hostile content (skipped: no Chromium)' : 'hostile content'

const RUN = 'window.__pwned = true'
const HOSTILE = [
  `</script><script>${RUN}</script>`,
  `<!--<script>${RUN}//`,
  `]]></SCRIPT ><img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>`,
  `<style>*{display:none}</style><base href="https://example.invalid/"><meta http-equiv="refresh" content="0;url=https://example.invalid/">`,
  `javascript:${RUN}`,
  `<a href="javascript:${RUN}" autofocus onfocus="${RUN}">click</a>`,
  `"><form action="https://example.invalid/"><button autofocus>`,
  '\u2028\u2029\u0000\u0007\u001b[2J\u007f\u0085',
  'pay \u202e00,1 \u202c\u2066isolated\u2069\u200fend',
  'invis\u200bible\u200d\u2060\ufeff\u00ad\u{e0041}\ufe0f\u3164',
  '{{constructor.constructor("return 1")()}} \u0024{window.__pwned=1} \\u003c/script> &lt;b&gt; &amp;',
].join(' ')

/** Every string of a payload with the hostile text behind it. */
const poisoned = <Value>(value: Value): Value => {
  if (typeof value === 'string') return `${value} ${HOSTILE}` as Value
  if (Array.isArray(value)) return value.map(poisoned) as Value
  return value
}

describe.skipIf(absent)(title, () => {
  const store = new MemoryStore()
  let browser: Browser
  let program: PageProgram
  let bundle: Bundle
  let pinned: string

  beforeAll(async () => {
    browser = await openBrowser()
    program = await errandProgram()
    const { ports, registrar } = await openPorts(store)
    pinned = ports.key('registrar').id
    const plain = performer(ports, registrar)
    const perform: typeof plain = async (action, ...more) => {
      const drafts = await plain(action, ...more)
      return Promise.all(
        drafts.map(async (draft) => {
          const { artifacts, evidence, action: id, seat, ...rest } = draft.payload
          const payload = Object.fromEntries(
            Object.entries(rest).map(([name, value]) => [`${name}${HOSTILE.slice(0, 60)}`, poisoned(value)]),
          )
          const kept = { ...(evidence ? { evidence } : {}), ...(seat ? { seat } : {}), action: id ?? '' }
          if (!artifacts) return { ...draft, payload: { ...payload, text: HOSTILE, ...kept } }
          const stored = await store.putArtifact(Buffer.from(HOSTILE))
          const artifact = { ...stored, name: HOSTILE, media_type: `text/html ${HOSTILE}` }
          return { ...draft, payload: { ...payload, ...kept, artifacts: [artifact] } }
        }),
      )
    }
    const log = await openErrand(ports, registrar, ['a'])
    await runClerk(ports, registrar, log, {}, perform)
    await approve(log, registrar)
    await runClerk(ports, registrar, log, {}, perform)
    await registrar.redact({ trace: log.trace, seq: 2, artifact: null }, `ana ${HOSTILE}`, HOSTILE)
    bundle = await extract({ store, registrar, sha256 }, log.trace)
  })
  afterAll(() => browser?.close())

  async function readAll(html: string): Promise<{ text: string; report: string }> {
    const before = `addEventListener('error', () => {}); window.open = () => { window.__pwned = 'opened' }`
    const { page, incidents, close } = await visit(browser, html, { before })
    await pin(page, pinned)
    for (const row of await page.locator('.trace > .list details.event').all()) {
      await unfold(row)
      for (const inner of await row.locator('details').all()) await unfold(inner)
    }
    const text = (await page.locator('main').textContent()) ?? ''
    const { digest } = await reportOf(page)
    expect(await page.evaluate('window.__pwned')).toBeUndefined()
    expect(await page.evaluate('location.protocol')).toBe('file:')
    expect(
      await page.locator('img, svg, iframe, a, form, base, meta[http-equiv=refresh], object').count(),
    ).toBe(0)
    expect(await page.locator('script:not([data-witan])').count()).toBe(1)
    expect(await page.locator('style').count()).toBe(1)
    expect(incidents).toEqual([])
    await close()
    return { text, report: digest }
  }

  it('VER-7 runs nothing that a trace says and shows it as text', async () => {
    const { text, report } = await readAll(await pageOf(program, bundle, store))
    expect(text).toContain(`</script><script>${RUN}</script>`)
    expect(text).toContain(`javascript:${RUN}`)
    expect(text).toContain('&lt;b&gt; &amp;')
    expect(text).toContain('\\u003c/script>')
    const node = await checkFile(await toFile(bundle, store), { keys: [pinned], checkpoints: [] })
    expect(node.status).toBe('pass-with-warnings')
    expect(report).toBe(reportDigest(sha256, node))
  })

  it('VER-7 shows what steers or hides text by its code point', async () => {
    const { text } = await readAll(await pageOf(program, bundle, store))
    const points =
      '0000 0007 001B 007F 0085 00AD 200B 200D 200F 2028 2029 202E 2060 2066 2069 3164 FE0F FEFF E0041'
    for (const point of points.split(' ')) expect(text).toContain(`U+${point}`)
    expect(text).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}|\p{Zl}|\p{Zp}/u)
  })

  it('VER-7 holds when hostile text reaches the findings and unreadable parts', async () => {
    const events = bundle.main.events.map((carried, i) => {
      if (i === 0) return { ...carried, event: { ...carried.event, header: Buffer.from(HOSTILE) } }
      if (i === 1) return { ...carried, event: { ...carried.event, payload: Buffer.from(HOSTILE) } }
      return carried
    })
    const broken = { ...bundle, main: { ...bundle.main, events, checkpoint: HOSTILE } }
    const nothing = { statArtifact: async () => null, openArtifact: async () => null }
    const { text, report } = await readAll(await pageOf(program, broken, nothing))
    expect(text).toContain('unreadable header')
    expect(text).toContain(`artifact </script><script>${RUN}</script>`)
    const node = await checkFile(await toFile(broken, nothing), { keys: [pinned], checkpoints: [] })
    expect(report).toBe(reportDigest(sha256, node))
    expect(node.failures.map(({ code }) => code)).toContain('ARTIFACT_MISSING')
  })

  it('VER-7 stands under a policy that lets no other script run', async () => {
    const html = await pageOf(program, bundle, store)
    const planted = html.replace('<main>', `<main><script>${RUN}</script><img src=x onerror="${RUN}">`)
    const { page, incidents, close } = await visit(browser, planted)
    expect(await titleOf(page)).toBe('Intact since signing')
    expect(await page.evaluate('window.__pwned')).toBeUndefined()
    expect(incidents.some((incident) => incident.startsWith('policy: script-src'))).toBe(true)
    await close()
  })
})
