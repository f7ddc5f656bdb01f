// The line between page and server, in a real browser with a clock of its own and a tunnel that can fall silent: a page that
// nothing happens on stays live, one whose line is dead without a word says so, and one on a machine that slept wakes up
// with everything that happened meanwhile. The server says often that it is there, so that no test has to wait for it.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { here } from '../doors/here.ts'
import { openBrowser } from '../support/browser.ts'
import { goTo, type RunningConsole, startConsole, visitConsole } from '../support/console.ts'
import { freshHome, inBrowser, type Place, sizeOf } from '../support/console-walk.ts'
import { openSilentProxy, type SilentProxy } from '../support/silent-proxy.ts'

const PATIENCE = { headers: 10_000, request: 30_000, look: 2_000, beat: 100 }

/** Counts lines and what is heard on them; the page itself hears no less. */
const COUNTING = `
  window.lines = 0
  window.beats = 0
  window.EventSource = class extends EventSource {
    constructor(path) {
      super(path)
      window.lines++
      this.addEventListener('beat', () => window.beats++)
    }
  }`

inBrowser('the line to the console', () => {
  let where: Place
  let console: RunningConsole
  let proxy: SilentProxy
  let page: Page
  let pool: string
  let close: () => Promise<unknown>
  const incidents: string[] = []

  beforeAll(async () => {
    where = await freshHome()
    pool = String((await here(where, 'exchange', 'run', '--demo', '--rounds', '2', '--json')).json.trace)
    proxy = await openSilentProxy()
    console = await startConsole(where.home, { patience: PATIENCE })
    const browser = await openBrowser()
    close = () => browser.close()
    const visit = await visitConsole(browser, console, { proxy: proxy.settings })
    page = visit.page
    page.on('pageerror', (error) => incidents.push(error.message))
    await page.addInitScript(COUNTING)
    await page.clock.install()
    await page.reload()
    await page.locator('.sidebar').waitFor()
    await goTo(page, `/t/${pool}/events`)
  })
  afterAll(async () => {
    await close?.()
    await console?.stop()
    await proxy?.close()
  })

  const counted = async (what: 'lines' | 'beats'): Promise<number> => Number(await page.evaluate(what))
  const notice = () => page.locator('.line-notice .notice')
  const hasAll = async (): Promise<void> => {
    const size = await sizeOf(where, pool)
    const folded = page.locator(`article[data-folded="${pool}/${size}"]`)
    await expect
      .poll(
        async () => {
          await page.clock.runFor(2_000)
          return folded.count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    expect(await notice().count()).toBe(0)
  }
  const thinkOn = () => here(where, 'exchange', 'run', pool, '--rounds', '2', '--json')

  it('APP-3 stays up for as long as nothing happens: the server says that it is there', async () => {
    await hasAll()
    const lines = await counted('lines')
    for (let minute = 0; minute < 5; minute++) {
      const before = await counted('beats')
      await expect.poll(() => counted('beats')).toBeGreaterThan(before)
      await page.clock.fastForward(35_000)
      expect(await notice().count()).toBe(0)
    }
    expect(await counted('lines')).toBe(lines)
  })

  it('APP-3 is known to be dead when it falls silent, is tried again and again, and is taken up without a gap', async () => {
    const lines = await counted('lines')
    proxy.fallSilent()
    await thinkOn()
    await page.clock.fastForward(46_000)
    await page.getByText('The connection is lost').waitFor()
    // The server does not even say whether it is there, and a new line hears nothing either.
    for (let tries = 0; tries < 3; tries++) await page.clock.fastForward(46_000)
    await page.getByText('The connection is lost').waitFor()
    proxy.speak()
    await page.clock.fastForward(46_000)
    await hasAll()
    expect(await counted('lines')).toBeGreaterThan(lines)
    expect(incidents).toEqual([])
  })

  it('APP-3 is found dead by a machine that slept, at once when it wakes, and nothing of what happened is missed', async () => {
    await page.clock.pauseAt(new Date(Number(await page.evaluate('Date.now()')) + 1_000))
    const fellAsleep = Number(await page.evaluate('Date.now()'))
    proxy.fallSilent()
    await thinkOn()
    proxy.speak()
    // Nothing of the page ran meanwhile, no timer either: the clock on the wall alone has moved.
    expect(await notice().count()).toBe(0)
    await page.clock.setSystemTime(fellAsleep + 7 * 3_600_000)
    await page.clock.runFor(5_000)
    await page.getByText('The connection is lost').waitFor()
    await hasAll()
    expect(incidents).toEqual([])
  })
})
