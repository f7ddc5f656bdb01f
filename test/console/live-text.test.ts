// A council begun in another terminal: what its seats write shows on the page while they write it, and none of it is ever
// on record.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withHome } from '../../src/app/home/home.ts'
import { fromUtf8 } from '../../src/ledger/bytes.ts'
import { ended, start } from '../doors/command.ts'
import { opinion, report, review, target } from '../fakes/council.ts'
import { freshHome, inBrowser, walkConsole } from '../support/console-walk.ts'
import { startDrippingServer } from '../support/dripping-server.ts'

const answerTo = (body: string): object => {
  if (body.includes('"targets"')) return review({ targets: [target('A')] })
  return body.includes('"answered_critiques"') ? report() : opinion()
}

const bottomOf = (box: { readonly y: number; readonly height: number } | null): number =>
  (box?.y ?? 0) + (box?.height ?? 0)

inBrowser('text under way', () => {
  let isHeld = true
  const walk = walkConsole(async () => {
    const where = await freshHome()
    const models = await startDrippingServer((_, body) => ({
      drip: { times: null, everyMs: 40, as: 'words', words: 'thinking aloud ', while: () => isHeld },
      text: JSON.stringify(answerTo(body)),
    }))
    const seat = (name: string) =>
      `    - {name: ${name}, role: [participant, chair], model: fake-1, base_url: "${models.url}"}`
    await writeFile(
      join(where.home, 'config.yaml'),
      `council:\n  providers:\n${seat('one')}\n${seat('two')}\n`,
    )
    const release = async (): Promise<void> => {
      isHeld = false
      await models.dispose()
    }
    return { where, undo: [release] }
  })

  it('APP-3 of a council in another process is shown as it streams, and never recorded', async () => {
    const { page, where } = walk
    const asked = start(['ask', 'Shall we keep the lock?', '--yes', '--json'], where)
    const over = ended(asked)
    await page
      .getByRole('navigation', { name: 'Traces' })
      .getByRole('link', { name: /keep the lock/ })
      .click()
    const column = page.getByRole('region', { name: 'Seat one' })
    await column.getByText('thinking aloud thinking aloud').waitFor()
    // When there is more of it than fits, it is the end that is seen.
    await page.setViewportSize({ width: 390, height: 800 })
    const box = column.locator('.live')
    const length = async (): Promise<number> => ((await box.textContent()) ?? '').length
    await expect.poll(length, { timeout: 60_000 }).toBeGreaterThan(350)
    const [seen, all] = await Promise.all([box.boundingBox(), box.locator('p').boundingBox()])
    expect(all?.height ?? 0).toBeGreaterThan(seen?.height ?? 0)
    expect(Math.abs(bottomOf(all) - bottomOf(seen))).toBeLessThan(2)
    isHeld = false
    const { code, json } = await over
    expect(code).toBe(0)
    await page.locator('.report').waitFor()
    expect(await page.locator('.live').count()).toBe(0)
    expect(walk.visit.incidents).toEqual([])
    const { trace } = json as { trace: string }
    await withHome({ directory: where.home, mode: 'read' }, async ({ store }) => {
      for await (const { payload } of store.read(trace))
        expect(payload && fromUtf8(payload)).not.toContain('thinking aloud')
    })
  })
})
