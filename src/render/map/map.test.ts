// The map of a pool as a person gets it: one file that reaches out to nothing, no matter what the minds wrote.

import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openBrowser } from '../../../test/support/browser.ts'
import { bundleScript } from '../../../test/support/page.ts'
import { components, project } from '../../embeddings/projection.ts'
import { type MapData, mapData } from '../../exchange/map/map.ts'
import { toVector } from '../../ledger/vector.ts'
import { groupsOf, middleOf } from './groups.ts'
import { mapPage } from './page.ts'
import { mapSvg } from './picture.ts'

const HOSTILE = '</title><script>document.title="broken"</script><img src=x onerror=alert(1)>" onload="x'

function someMap(count: number, more: Partial<MapData> = {}): MapData {
  const messages = Array.from({ length: count }, (_, i) => ({
    id: `m${i}`,
    round: i + 1,
    author: i % 2 ? 'ash' : 'birch',
    text: i === 0 ? HOSTILE : `message ${i}`,
    asks: i % 3 === 0,
    sampled: [`m${i - 1}`, `m${i - 2}`, 'gone'],
  }))
  const spots = messages.map((_, i) => ({ x: Math.cos(i), y: Math.sin(i * 2) }))
  const themes = [
    { id: 'k1', label: HOSTILE, excerpt: HOSTILE, members: messages.slice(0, 4).map(({ id }) => id) },
    { id: 'k2', label: 'tides · moon', excerpt: 'The tides', members: ['m5', 'm6', 'm7', 'm8', 'm9'] },
    { id: 'k3', label: 'gone', excerpt: '', members: ['nowhere'] },
  ]
  const series = messages.map(({ round }) => ({
    round,
    share: round / count,
    level: round / count,
    raised: round > count / 2,
  }))
  const rest = { title: 'A pool', demo: false, encoder: 'fake:x:3', series, raise: 0.3, clear: 0.15 }
  return { ...mapData({ ...rest, messages, spots, themes }), ...more }
}

describe('the content of a map', () => {
  it('VOX-19 has the name of a theme where most of its messages are, not in the empty middle', () => {
    const [one] = someMap(12).points
    if (!one) throw new Error('the map is empty')
    const at = (x: number, y: number) => ({ ...one, x, y })
    const around = Array.from({ length: 40 }, (_, i) => at(0.5 + Math.cos(i) / 2, 0.5 + Math.sin(i) / 2))
    const clump = Array.from({ length: 30 }, (_, i) => at(0.9 + i / 1000, 0.1))
    const middle = middleOf([at(0.5, 0.5), ...around, ...clump])
    expect(middle?.x).toBeGreaterThan(0.8)
    expect(middle?.y).toBeLessThan(0.3)
    const compact = Array.from({ length: 200 }, (_, i) =>
      at(Math.cos(i) * (i / 200) ** 2, Math.sin(i) * (i / 200) ** 2),
    )
    const { x = 1, y = 1 } = middleOf(compact) ?? {}
    expect(Math.hypot(x, y)).toBeLessThan(0.2)
    expect(middleOf([])).toBeNull()
  })

  it('fits the unit square, with themes by size, and lineage only among messages that exist', () => {
    const { points, themes } = someMap(12)
    for (const { x, y } of points) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
      expect(Math.max(x, y)).toBeLessThanOrEqual(1)
    }
    expect(themes.map(({ id, size }) => [id, size])).toEqual([
      ['k2', 5],
      ['k1', 4],
    ])
    expect(points[1]?.from).toEqual(['m0'])
    expect(points[11]?.theme).toBeNull()
  })

  it('is drawn also without messages, or with one', () => {
    for (const count of [0, 1]) {
      const svg = mapSvg(someMap(count))
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    }
  })

  it('says in its title that no model was asked', () => {
    expect(mapPage(someMap(3, { demo: true }), '')).toContain('<title>A pool: mechanics demo: Witan</title>')
    expect(mapSvg(someMap(3))).not.toContain('mechanics demo')
  })
})

describe('projection', () => {
  const vectors = Array.from({ length: 40 }, (_, i) =>
    toVector(
      'fake:x:8',
      Array.from({ length: 8 }, (_, d) => (d === i % 4 ? 1 : 0.05 * Math.sin(i * 7 + d))),
    ),
  )

  it('gives the same spots each time, and puts what is alike together', async () => {
    const spots = await project(vectors, 7)
    expect(await project(vectors, 7)).toEqual(spots)
    const gap = (a: number, b: number) =>
      Math.hypot((spots[a]?.x ?? 0) - (spots[b]?.x ?? 0), (spots[a]?.y ?? 0) - (spots[b]?.y ?? 0))
    const nearest = vectors.map((_, a) => {
      const others = vectors.map((_, b) => b).filter((b) => b !== a)
      return others.reduce((best, b) => (gap(a, b) < gap(a, best) ? b : best), others[0] ?? 0)
    })
    expect(nearest.filter((b, a) => a % 4 === b % 4).length).toBeGreaterThan(36)
  })

  it('places none, one and a few, and refuses several encoders', async () => {
    expect(await project([])).toEqual([])
    expect(await project(vectors.slice(0, 1))).toEqual([{ x: 0, y: 0 }])
    expect(await project(vectors.slice(0, 5))).toHaveLength(5)
    const other = toVector('fake:y:8', [1, 0, 0, 0, 0, 0, 0, 0])
    expect(() => components([...vectors, other], 2)).toThrow(
      expect.objectContaining({ code: 'ENCODER_MISMATCH' }),
    )
  })
})

describe('groups', () => {
  it('are by theme or by author, the largest coloured first, messages without a theme last and grey', () => {
    const data = someMap(12)
    expect(groupsOf(data, 'theme').map(({ id, size, colour }) => [id, size, colour])).toEqual([
      ['k2', 5, 0],
      ['k1', 4, 1],
      ['of no theme', 3, null],
    ])
    expect(groupsOf(data, 'author').map(({ label, size, colour }) => [label, size, colour])).toEqual([
      ['ash', 6, 0],
      ['birch', 6, 1],
    ])
  })
})

describe.skipIf(inject('chromiumPath') === null)('in a browser', () => {
  let browser: Browser
  let script: string
  beforeAll(async () => {
    browser = await openBrowser()
    script = await bundleScript(`import './src/doors/page/map/map.ts'`)
  })
  afterAll(() => browser?.close())

  async function opened(count: number, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('request', (request) => faults.push(request.url()))
    page.on('console', (line) => faults.push(line.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    await page.setContent(mapPage(someMap(count), script))
    await page.locator('canvas.field').waitFor()
    return { page, faults, close: () => context.close() }
  }

  it('takes hostile text as text, asks for nothing and runs its own script alone', async () => {
    const { page, faults, close } = await opened(30)
    expect(await page.title()).toBe('A pool: Witan')
    await page.locator('canvas.field').press('ArrowRight')
    expect(await page.locator('.reading .text').textContent()).toBe(HOSTILE)
    expect(await page.locator('.groups').textContent()).toContain('</title><script>')
    expect(await page.locator('script').count()).toBe(2)
    expect(await page.locator('img').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  it('goes from message to message by key, back in time by slider, and by theme or author', async () => {
    const { page, close } = await opened(200)
    const field = page.locator('canvas.field')
    for (const _ of ['m0', 'm1', 'm2']) await field.press('ArrowRight')
    expect(await page.locator('.reading').textContent()).toContain('birch in round 3')
    await page.locator('.reading button', { hasText: 'm1' }).click()
    expect(await page.locator('.reading .text').textContent()).toBe('message 1')
    await page.getByLabel('Time').fill('50')
    expect(await page.locator('output').textContent()).toBe('round 50 of 200')
    expect(await field.getAttribute('aria-label')).toContain('Map of 50 messages')
    await page.getByLabel('author').check()
    expect(await page.locator('.groups button').allTextContents()).toEqual(['ash100', 'birch100'])
    await page.locator('.groups button', { hasText: 'ash' }).click()
    expect(await page.locator('.groups button[aria-pressed=true]').textContent()).toBe('ash100')
    await close()
  })

  it.each([
    [200, 'light'],
    [2_000, 'dark'],
  ] as const)('is read without violations at %i messages, %s, wide and at 390 px', async (count, scheme) => {
    for (const width of [1280, 390]) {
      const { page, close } = await opened(count, width, scheme)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id }) => id)).toEqual([])
      await close()
    }
  })
})
