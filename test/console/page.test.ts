// The console in a real browser: what it shows equals what the command says, nothing that a trace says is run, and a
// line that breaks is taken up again without a gap.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { resultOf as sessionResult } from '../../src/agents/result.ts'
import { logOf as sessionLog } from '../../src/app/agents/decide.ts'
import { stateOf } from '../../src/app/exchange/open-exchange.ts'
import { withHome } from '../../src/app/home/home.ts'
import { readReport } from '../../src/app/traces/trace-report.ts'
import { verifyTrace } from '../../src/app/traces/verify-trace.ts'
import { exchangeValue } from '../../src/exchange/result.ts'
import { forJson } from '../../src/ledger/text/neutral.ts'
import { openBrowser } from '../support/browser.ts'
import {
  type ConsoleVisit,
  goTo as goIn,
  type RunningConsole,
  startConsole,
  visitConsole,
} from '../support/console.ts'
import { unpackHome } from '../support/frozen.ts'

const absent = inject('chromiumPath') === null

/** What the command says of a trace, as a program is given it. */
async function commandValue(home: string, trace: string, protocol: string): Promise<object> {
  if (protocol.startsWith('council/')) return readReport({ directory: home }, trace)
  return withHome({ directory: home, mode: 'read' }, async (opened) => {
    if (protocol.startsWith('exchange/')) return exchangeValue(await stateOf(opened, trace))
    const log = await sessionLog(opened.ports, trace)
    return sessionResult(trace, log.state.inner)
  })
}

describe.skipIf(absent)(absent ? 'the page (skipped: no Chromium)' : 'the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'witan-console-'))
  let home: string
  let browser: Browser
  let console: RunningConsole
  let visit: ConsoleVisit
  let traces: readonly { readonly trace: string; readonly protocol: string }[]

  beforeAll(async () => {
    home = await unpackHome(folder)
    browser = await openBrowser()
    console = await startConsole(home)
    visit = await visitConsole(browser, console)
    traces = await withHome({ directory: home, mode: 'read' }, ({ store }) => store.traces())
  })
  afterAll(async () => {
    await browser?.close()
    await console?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const goTo = (path: string): Promise<unknown> => goIn(visit.page, path)

  it('folds golden traces of all three protocols to the same bytes as Node does', async () => {
    const told = traces.filter(({ protocol }) => !protocol.startsWith('registry/'))
    const kinds = new Set(told.map(({ protocol }) => protocol))
    expect([...kinds].sort()).toEqual(['agents/1', 'council/1', 'exchange/1'])
    for (const { trace, protocol } of told) {
      const node = await commandValue(home, trace, protocol)
      await goTo(`/t/${trace}/result`)
      const size = (await withHome({ directory: home, mode: 'read' }, ({ store }) => store.hashes(trace)))
        .length
      await visit.page.waitForSelector(`article[data-folded="${trace}/${size}"] [data-result]`)
      expect(await visit.page.locator('[data-result]').textContent()).toBe(
        forJson(JSON.stringify(node, null, 2)),
      )
    }
    expect(visit.incidents).toEqual([])
  })

  it('VER-7 verifies in the browser to the same report, byte for byte', async () => {
    const seen = new Set<string>()
    for (const { trace, protocol } of traces) {
      if (seen.has(protocol)) continue
      seen.add(protocol)
      const { digest, ...report } = await verifyTrace({ directory: home }, trace)
      await goTo(`/t/${trace}/verify`)
      await visit.page.waitForSelector('.verdict[data-status]')
      expect(await visit.page.locator('[data-digest]').textContent()).toBe(digest)
      expect(JSON.parse((await visit.page.locator('[data-report]').textContent()) ?? '')).toEqual(report)
    }
    expect(seen.size).toBe(4)
    expect(visit.incidents).toEqual([])
  })

  it('APP-8 cannot turn text into markup: the policy refuses it', async () => {
    const thrown = await visit.page.evaluate(`(() => {
      try {
        document.body.innerHTML = '<b>x</b>'
        return 'nothing'
      } catch (error) {
        return error.name
      }
    })()`)
    expect(thrown).toBe('TypeError')
    expect(visit.incidents.splice(0).join()).toContain('TrustedHTML')
  })
})
