// The page opens with the answer of its trace under one line of seal; what does not hold is never shown as an answer.

import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { PageProgram } from '../../src/app/verification-page.ts'
import { artifactsIn } from '../../src/clerk/extract.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import { type ArtifactSource, readBundle } from '../../src/stores/bundle-file.ts'
import { openBrowser } from '../support/browser.ts'
import { bundleBytes } from '../support/frozen.ts'
import { pageOf, shippedProgram, titleOf, visit } from '../support/page.ts'

const absent = inject('chromiumPath') === null

async function frozen(name: string): Promise<{ bundle: Bundle; source: ArtifactSource }> {
  const bytes = (async function* () {
    yield bundleBytes(name)
  })()
  const { bundle, artifacts } = await readBundle(bytes, (carried) => new Set(artifactsIn(carried)))
  const source: ArtifactSource = {
    statArtifact: async (hash) => artifacts.get(hash) ?? null,
    openArtifact: async (hash) => {
      const content = artifacts.get(hash)?.content
      return content
        ? (async function* () {
            yield content
          })()
        : null
    },
  }
  return { bundle, source }
}

/** The texts of the answer in the order in which they stand. */
const firstParts = (page: Page): Promise<string[]> =>
  page.locator('main > *').evaluateAll((all) => all.slice(0, 2).map((one) => one.id || one.className))

describe.skipIf(absent)(absent ? 'the answer (skipped: no Chromium)' : 'the answer', () => {
  let browser: Browser
  let program: PageProgram
  beforeAll(async () => {
    browser = await openBrowser()
    program = await shippedProgram()
  })
  afterAll(() => browser?.close())

  it.each([
    ['council-reported', /^(Adopt|Reject|Answer|More information needed)$/, 'What each seat said'],
    ['agents-plain', /^Completed$/, 'Proven'],
    [
      'exchange-signal-open',
      /^A restart is asked for$/,
      /^Signal 1, raised after round \d+: asked for most plainly in$/,
    ],
  ])('VER-7 comes first in %s, under one line of seal, without violations', async (name, answer, part) => {
    const { bundle, source } = await frozen(name)
    const { page, incidents, close } = await visit(browser, await pageOf(program, bundle, source), {
      viewport: { width: 390, height: 844 },
      bypassCSP: true,
    })
    expect(await titleOf(page)).toBe('Intact since signing')
    expect(await page.locator('#verdict').textContent()).toContain('· signer not yet confirmed')
    expect(await firstParts(page)).toEqual(['verdict', 'first'])
    expect(await page.locator('h1').textContent()).toMatch(answer)
    const titles = await page.locator('.answer h2').allTextContents()
    expect(titles.filter((title) => title.match(part))).toHaveLength(1)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(incidents).toEqual([])
    await close()
  })

  it('VER-7 counts the calls that were made, and not what was thought of', async () => {
    const { bundle, source } = await frozen('agents-plain')
    const { page, close } = await visit(browser, await pageOf(program, bundle, source))
    const text = await page.locator('.answer').innerText()
    const made = text.match(/^(done|failed): /gm)?.length ?? 0
    expect(made).toBeGreaterThan(0)
    expect(text).toContain(`${made} call${made === 1 ? '' : 's'} of tools`)
    await close()
  })

  it('VER-7 leads from a reason to the seat that gave it, and from there to the signed event', async () => {
    const { bundle, source } = await frozen('council-reported')
    const { page, close } = await visit(browser, await pageOf(program, bundle, source))
    await page.locator('.answer .notes button').first().click()
    const seat = page.locator('.folded details[open]')
    expect(await seat.count()).toBe(1)
    await seat.getByRole('button', { name: 'Signed event' }).click()
    await page.locator('details.event[open]').waitFor()
    expect(await page.locator('details.event[open]').textContent()).toContain('opinion')
    await close()
  })

  it('VER-7 is folded and marked where the record does not hold', async () => {
    const { bundle, source } = await frozen('council-reported')
    const [head, ...rest] = bundle.main.events
    if (!head) throw new Error('no events')
    const forged = { ...head, event: { ...head.event, signature: new Uint8Array(64) } }
    const broken = { ...bundle, main: { ...bundle.main, events: [forged, ...rest] } }
    const { page, close } = await visit(browser, await pageOf(program, broken, source))
    expect(await titleOf(page)).toBe('FAILED')
    expect(await page.locator('.answer').isVisible()).toBe(false)
    expect(await page.locator('.unreliable > summary').textContent()).toContain('do not rely on it')
    expect(await page.locator('.first > *').first().getAttribute('class')).toContain('findings')
    await close()
  })
})
