// The console in a real browser: what it shows equals what the command says, nothing that a trace says is run, and a
// line that breaks is taken up again without a gap.

import { expect, it } from 'vitest'
import { resultOf as sessionResult } from '../../src/agents/result.ts'
import { logOf as sessionLog } from '../../src/app/agents/decide.ts'
import { stateOf } from '../../src/app/exchange/open-exchange.ts'
import { withHome } from '../../src/app/home/home.ts'
import { readReport } from '../../src/app/traces/trace-report.ts'
import { verifyTrace } from '../../src/app/traces/verify-trace.ts'
import { exchangeValue } from '../../src/exchange/result.ts'
import { forJson } from '../../src/ledger/text/neutral.ts'
import { directory } from '../doors/command.ts'
import { goTo } from '../support/console.ts'
import { inBrowser, walkConsole } from '../support/console-walk.ts'
import { unpackHome } from '../support/frozen.ts'

/** What the command says of a trace, as a program is given it. */
async function commandValue(home: string, trace: string, protocol: string): Promise<object> {
  if (protocol.startsWith('council/')) return readReport({ directory: home }, trace)
  return withHome({ directory: home, mode: 'read' }, async (opened) => {
    if (protocol.startsWith('exchange/')) return exchangeValue(await stateOf(opened, trace))
    const log = await sessionLog(opened.ports, trace)
    return sessionResult(trace, log.state.inner)
  })
}

inBrowser('the page', () => {
  let home: string
  let traces: readonly { readonly trace: string; readonly protocol: string }[]
  const walk = walkConsole(async () => {
    const cwd = await directory()
    home = await unpackHome(cwd)
    traces = await withHome({ directory: home, mode: 'read' }, ({ store }) => store.traces())
    return { where: { home, cwd } }
  })

  it('folds golden traces of all three protocols to the same bytes as Node does', async () => {
    const { page, visit } = walk
    const told = traces.filter(({ protocol }) => !protocol.startsWith('registry/'))
    const kinds = new Set(told.map(({ protocol }) => protocol))
    expect([...kinds].sort()).toEqual(['agents/1', 'council/1', 'exchange/1'])
    for (const { trace, protocol } of told) {
      const node = await commandValue(home, trace, protocol)
      await goTo(page, `/t/${trace}/result`)
      const size = (await withHome({ directory: home, mode: 'read' }, ({ store }) => store.hashes(trace)))
        .length
      await page.waitForSelector(`article[data-folded="${trace}/${size}"] [data-result]`)
      expect(await page.locator('[data-result]').textContent()).toBe(forJson(JSON.stringify(node, null, 2)))
    }
    expect(visit.incidents).toEqual([])
  })

  it('VER-7 verifies in the browser to the same report, byte for byte', async () => {
    const { page, visit } = walk
    const seen = new Set<string>()
    for (const { trace, protocol } of traces) {
      if (seen.has(protocol)) continue
      seen.add(protocol)
      const { digest, ...report } = await verifyTrace({ directory: home }, trace)
      await goTo(page, `/t/${trace}/verify`)
      await page.waitForSelector('.verdict[data-status]')
      expect(await page.locator('[data-digest]').textContent()).toBe(digest)
      expect(JSON.parse((await page.locator('[data-report]').textContent()) ?? '')).toEqual(report)
    }
    expect(seen.size).toBe(4)
    expect(visit.incidents).toEqual([])
  })

  it('APP-8 cannot turn text into markup: the policy refuses it', async () => {
    const { page, visit } = walk
    const thrown = await page.evaluate(`(() => {
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
