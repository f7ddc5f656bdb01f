// A long trace stays usable in the page, and the page stays where the reader's eyes are: nothing moves by itself,
// nothing sticks out of a narrow window, every text can be read against its ground.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { PageProgram } from '../../src/app/verification-page.ts'
import { extract } from '../../src/clerk/extract.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { openBrowser } from '../support/browser.ts'
import { bundleScript, errandProgram, pageOf, pin, titleOf, visit } from '../support/page.ts'
import { notes } from '../support/page-notes.ts'
import { openPorts } from '../support/ports.ts'

const absent = inject('chromiumPath') === null
const title = absent ? 'a long trace (skipped: no Chromium)' : 'a long trace'
const SIZE = 10_000
const TEXT = 'A seat says what it thinks, in a few words that are neither long nor short. '

const WATCH = `
  window.shifts = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  performance.mark('opened')
  new MutationObserver(() => {
    if (document.querySelector('.results')) performance.measure('verdict')
  }).observe(document, { subtree: true, childList: true })`

/** Contrast of the text of every visible element against what lies behind it; only those below 4.5. */
const PALE = `(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number)
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor)
      if (colour.length === 3 || colour[3] > 0) return colour
    }
    return [255, 255, 255]
  }
  const pale = []
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    if (!own || !element.checkVisibility() || element.matches(':disabled')) continue
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x)
    const contrast = (a + 0.05) / (b + 0.05)
    if (contrast < 4.5) pale.push(element.tagName + '.' + element.className + ' ' + contrast.toFixed(2))
  }
  return pale
})()`

describe.skipIf(absent)(title, () => {
  const store = new MemoryStore()
  let browser: Browser
  let program: PageProgram
  let bundle: Bundle
  let pinned: string

  beforeAll(async () => {
    browser = await openBrowser()
    const { style } = await errandProgram()
    const script = await bundleScript(`
      import { start } from './src/doors/page/start.ts'
      import { notes } from './test/support/page-notes.ts'
      start([notes])`)
    program = { script, style }
    const { ports, registrar } = await openPorts(store)
    pinned = ports.key('registrar').id
    const log = new TraceLog(ports, notes, ports.newTrace())
    const actor = registrar.actor('sam', 'seat')
    for (let from = 0; from < SIZE; from += 1_000) {
      const drafts = Array.from({ length: 1_000 }, (_, i) => ({
        type: 'noted',
        actor,
        payload: { n: from + i, text: `${from + i}: ${TEXT.repeat(6)}` },
      }))
      await log.append(drafts)
    }
    bundle = await extract({ store, registrar, sha256 }, log.trace)
  }, 120_000)
  afterAll(() => browser?.close())

  const measured = (page: Page): Promise<number> =>
    page.evaluate(`performance.getEntriesByName('verdict')[0].duration`)

  it('VER-7 verifies 10,000 events and shows them 200 at a time', { timeout: 120_000 }, async () => {
    const html = await pageOf(program, bundle, store)
    const { page, incidents, close } = await visit(browser, html, { before: WATCH })
    const overhead = program.script.length + program.style.length
    console.log(
      `page: ${SIZE} events in ${Math.round(await measured(page))} ms, ${html.length} bytes, program ${overhead}`,
    )
    expect(await page.locator('details.event').count()).toBe(200)
    const pager = page.locator('nav.pager').first()
    expect(await pager.textContent()).toContain('1–200 of 10,000 events')
    await pager.getByRole('button', { name: 'Later' }).click()
    expect(await page.locator('details.event .seq').first().textContent()).toBe('200')
    expect(await pager.getByRole('button', { name: 'Earlier' }).isEnabled()).toBe(true)
    await pin(page, pinned)
    expect(await titleOf(page)).toBe('Verified')
    expect(incidents).toEqual([])
    await close()
  })

  it('VER-7 leads to a failing event wherever it stands', { timeout: 120_000 }, async () => {
    const events = bundle.main.events.map((carried, i) =>
      i === 7_777 ? { ...carried, event: { ...carried.event, signature: new Uint8Array(64) } } : carried,
    )
    const { page, close } = await visit(
      browser,
      await pageOf(program, { ...bundle, main: { ...bundle.main, events } }, store),
    )
    expect(await titleOf(page)).toBe('FAILED')
    await page.getByRole('button', { name: 'event 7777' }).click()
    const row = page.locator('details.event.fail[open]')
    await row.waitFor()
    expect(await row.locator('.seq').textContent()).toBe('7777')
    await close()
  })

  it.each(['light', 'dark'] as const)('is readable and still in %s, narrow and wide', async (colorScheme) => {
    const few = { ...bundle, main: { ...bundle.main, events: bundle.main.events.slice(0, 300) } }
    const html = await pageOf(program, few, store)
    for (const width of [360, 1280]) {
      const viewport = { width, height: 800 }
      const { page, close } = await visit(browser, html, { before: WATCH, colorScheme, viewport })
      expect(await page.evaluate('window.shifts'), 'layout shift').toBeLessThan(0.01)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await page.evaluate(PALE)).toEqual([])
      await close()
    }
  })
})
