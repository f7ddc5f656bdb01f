// A council begun in another terminal: what its seats write shows on the page while they write it, and none of it is ever
// on record.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { withHome } from '../../src/app/home/home.ts'
import { fromUtf8 } from '../../src/ledger/bytes.ts'
import { ended, newHome, start, type Where } from '../doors/command.ts'
import { opinion, report, review, target } from '../fakes/council.ts'
import { openBrowser } from '../support/browser.ts'
import { type RunningConsole, startConsole, visitConsole } from '../support/console.ts'
import { type DrippingServer, dripping } from '../support/dripping-server.ts'

const absent = inject('chromiumPath') === null

const answerTo = (body: string): object => {
  if (body.includes('"targets"')) return review({ targets: [target('A')] })
  return body.includes('"answered_critiques"') ? report() : opinion()
}

describe.skipIf(absent)(absent ? 'text under way (skipped: no Chromium)' : 'text under way', () => {
  let where: Where & { readonly cwd: string }
  let browser: Browser
  let console: RunningConsole
  let models: DrippingServer
  let isHeld = true

  beforeAll(async () => {
    where = await newHome()
    models = await dripping((_, body) => ({
      drip: { times: null, everyMs: 40, as: 'words', words: 'thinking aloud ', while: () => isHeld },
      text: JSON.stringify(answerTo(body)),
    }))
    const seat = (name: string) =>
      `    - {name: ${name}, role: [participant, chair], model: fake-1, base_url: "${models.url}"}`
    await mkdir(where.home, { recursive: true })
    await writeFile(
      join(where.home, 'config.yaml'),
      `council:\n  providers:\n${seat('one')}\n${seat('two')}\n`,
    )
    browser = await openBrowser()
    console = await startConsole(where.home)
  })
  afterAll(async () => {
    isHeld = false
    await browser?.close()
    await console?.stop()
    await models?.dispose()
  })

  it('APP-3 of a council in another process is shown as it streams, and never recorded', async () => {
    const { page, incidents } = await visitConsole(browser, console)
    const asked = start(['ask', 'Shall we keep the lock?', '--yes', '--json'], where)
    const over = ended(asked)
    await page
      .getByRole('navigation', { name: 'Traces' })
      .getByRole('link', { name: /keep the lock/ })
      .click()
    const column = page.getByRole('region', { name: 'Seat one' })
    await column.getByText('thinking aloud thinking aloud').waitFor({ timeout: 60_000 })
    isHeld = false
    const { code, json } = await over
    expect(code).toBe(0)
    await page.locator('.report').waitFor({ timeout: 60_000 })
    expect(await page.locator('.live').count()).toBe(0)
    expect(incidents).toEqual([])
    const { trace } = json as { trace: string }
    await withHome({ directory: where.home, mode: 'read' }, async ({ store }) => {
      for await (const { payload } of store.read(trace))
        expect(payload && fromUtf8(payload)).not.toContain('thinking aloud')
    })
  })
})
