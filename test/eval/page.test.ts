// The result of an evaluation on the page that verifies it, and on the page with plots, in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { extract } from '../../src/clerk/extract.ts'
import { evalPage } from '../../src/render/eval/page.ts'
import { sha256 } from '../../src/stores/digest.ts'
import type { CouncilServer } from '../fakes/council.ts'
import { simulate, simulatedSet } from '../fakes/simulated-members.ts'
import { openBrowser } from '../support/browser.ts'
import { evaluate } from '../support/eval-run.ts'
import { pageOf, shippedProgram, visit } from '../support/page.ts'

const NAMES = ['ada', 'ben', 'cyd']
const absent = inject('chromiumPath') === null
let server: CouncilServer | null = null

/** Links that lead to no place on the page. */
const DEAD_LINKS = `[...document.querySelectorAll('a[href^="#"]')]
  .map((link) => link.getAttribute('href'))
  .filter((name) => !document.getElementById(name.slice(1)))`

/** Labels of the two plots of cost that lie on a dot or on each other. */
const COVERED_LABELS = `[...document.querySelectorAll('figure svg')].slice(1).flatMap((plot) => {
  const boxes = (what) => [...plot.querySelectorAll(what)].map((one) => one.getBoundingClientRect())
  const meets = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3
  const [names, dots] = [boxes('a + text'), boxes('circle')]
  return names.flatMap((name, i) =>
    [...names.slice(i + 1), ...dots].some((other) => meets(name, other)) ? [i] : [])
})`

describe.skipIf(absent)(`an evaluation in the browser${absent ? ' (skipped: no Chromium)' : ''}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())
  afterEach(async () => {
    await server?.close()
    server = null
  })

  it('COU-X-4 is worked out again by the page that verifies it, and its numbers lead to their items', async () => {
    const knows = (item: number): number => (item === 2 ? -2 : item)
    const members = Object.fromEntries(NAMES.map((name) => [name, { knows }]))
    server = await simulate({ members, chair: (item) => -item, bill: 0.001 })
    const { storage, evaluation, report } = await evaluate(server.url, NAMES, simulatedSet(8), {})
    const { store } = storage.ports
    const registrar = await storage.registerSigners([])
    const bundle = await extract({ store, registrar, sha256 }, evaluation.trace)
    const verified = await visit(browser, await pageOf(await shippedProgram(), bundle, store))
    const answer = verified.page.locator('.answer')
    expect(await answer.locator('h1').innerText()).toBe(report.primary.words)
    const vote = answer.locator('li', { hasText: 'vote: 87.5 %' })
    expect(await vote.innerText()).toContain('7 of 8 right')
    // From the number to the item, and from the item to the signed event that graded it.
    await vote.getByRole('button', { name: 'i2', exact: true }).click()
    const item = answer.locator('details[open]', { hasText: 'i2' })
    expect(await item.innerText()).toContain(report.items[1]?.councils[0]?.trace ?? '-')
    await item.getByRole('button', { name: 'Signed event' }).click()
    expect(await verified.page.locator('section.trace').innerText()).toContain('item 2')
    expect(verified.incidents).toEqual([])
    await verified.close()

    const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    await page.setContent(evalPage(report))
    expect(await page.evaluate(DEAD_LINKS)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await page.evaluate(COVERED_LABELS)).toEqual([])
    await context.close()
  }, 240_000)
})
