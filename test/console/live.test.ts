// The console while something happens: it walks by keyboard and mouse, is accessible in both schemes, and a line that is
// lost is taken up again from the event it stopped at.

import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newHome, type Where, witan } from '../doors/command.ts'
import { openBrowser } from '../support/browser.ts'
import { type RunningConsole, startConsole, visitConsole } from '../support/console.ts'

const absent = inject('chromiumPath') === null

describe.skipIf(absent)(absent ? 'the console (skipped: no Chromium)' : 'the console', () => {
  let where: Where & { readonly cwd: string }
  let browser: Browser
  let console: RunningConsole
  let trace: string
  let pool: string

  beforeAll(async () => {
    where = await newHome()
    await witan(where, 'demo', '--fast')
    await witan(where, 'exchange', 'run', '--demo', '--rounds', '6')
    const listed = (await witan(where, 'list', '--json')).json as {
      traces: { trace: string; protocol: string }[]
    }
    trace = listed.traces.find(({ protocol }) => protocol.startsWith('council/'))?.trace ?? ''
    pool = listed.traces.find(({ protocol }) => protocol.startsWith('exchange/'))?.trace ?? ''
    browser = await openBrowser()
    console = await startConsole(where.home)
  })
  afterAll(async () => {
    await browser?.close()
    await console?.stop()
  })

  const pages = async (): Promise<readonly string[]> => [
    '/',
    `/t/${trace}`,
    `/t/${trace}/events/3`,
    `/t/${trace}/verify`,
    `/t/${trace}/keep`,
    `/t/${pool}`,
    `/t/${pool}/map`,
    `/t/${pool}/branches`,
    '/check',
    '/inbox',
    '/new',
    '/admin',
    '/find?q=lock',
  ]

  const violations = async (page: Page): Promise<readonly string[]> => {
    const { violations: found } = await new AxeBuilder({ page }).analyze()
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }

  it.each(['light', 'dark'] as const)(
    'APP-3 has nothing on any page that axe objects to, in %s',
    async (colorScheme) => {
      const again = await startConsoleLink()
      const { page, incidents, context } = await visitConsole(
        browser,
        { ...console, link: again },
        { colorScheme },
      )
      for (const path of await pages()) {
        await page.goto(console.origin + path)
        await page.waitForSelector('main h1')
        await page.waitForSelector('.loading', { state: 'detached' })
        expect(await violations(page)).toEqual([])
      }
      expect(incidents).toEqual([])
      await context.close()
    },
  )

  /** As a second console would get it. */
  const startConsoleLink = async (): Promise<string> =>
    ((await witan(where, 'console', '--json')).json as { url: string }).url
})
