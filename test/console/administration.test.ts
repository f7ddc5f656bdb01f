// What the administration shows of others at work, in a real browser: an evaluation's report, worked out again in the page,
// and a queue with a worker, on a real PostgreSQL.

import { expect, inject, it } from 'vitest'
import { readEval } from '../../src/app/eval/read-eval.ts'
import { inHome } from '../../src/app/storage.ts'
import { forJson } from '../../src/ledger/text/neutral.ts'
import { machine } from '../council/table.ts'
import { here } from '../doors/here.ts'
import { simulate, simulatedSet } from '../fakes/simulated-members.ts'
import { startWorkerAt } from '../queue/workers.ts'
import { goTo, startConsole, tabTo, visitConsole } from '../support/console.ts'
import { freshHome, inBrowser, sizeOf, traceAt, walkConsole } from '../support/console-walk.ts'
import { THREE } from '../support/council-run.ts'
import { openAt } from '../support/eval-run.ts'
import { freshDatabase } from '../support/postgres.ts'

const NAMES = ['ada', 'ben', 'cyd']
const server = inject('postgresUrl')

inBrowser('the administration in the console', () => {
  let evaluation: string
  const walk = walkConsole(async () => {
    const where = await freshHome()
    const knows = (item: number): number => (item === 2 ? -2 : item)
    const models = await simulate({
      members: Object.fromEntries(NAMES.map((name) => [name, { knows }])),
      chair: (item) => -item,
      bill: 0.001,
    })
    const openHome = await inHome(where.home)
    const held = await openAt(openHome, models.url, NAMES, simulatedSet(6))
    await held.drive()
    evaluation = held.trace
    await openHome.close()
    await models.close()
    return { where }
  })

  it('COU-X-4 shows what an evaluation found, the loss first, and leads from an item to its council', async () => {
    const { page, visit, where } = walk
    const report = await readEval({ directory: where.home, postgres: null }, evaluation)
    await goTo(page, '/admin')
    const evals = page.getByRole('region', { name: 'Evaluations' })
    await evals.getByRole('link').first().click()
    await page.locator('.eval').waitFor()
    expect(await page.locator('.conclusion').first().textContent()).toContain(report?.primary.words)
    await page.locator('.conclusion.bad').first().waitFor()
    const vote = page.getByRole('row').filter({ hasText: /^vote/ })
    await vote.getByText('5 of 6').waitFor()
    const item = page.locator('#item-1')
    expect(await item.getByText('wrong').count()).toBeGreaterThan(3)
    await tabTo(page, item.getByRole('link').first(), 300)
    await page.keyboard.press('Enter')
    await page.locator('.report').waitFor()
    expect(traceAt(page)).toBe(report?.items[1]?.councils[0]?.trace)
    expect(visit.incidents).toEqual([])
  })

  it('COU-X-4 works the report out in the page, to the same bytes as the command', async () => {
    const { page, visit, where } = walk
    const ran = await here(where, 'report', evaluation, '--json')
    await goTo(page, `/t/${evaluation}/result`)
    const size = await sizeOf(where, evaluation)
    await page.locator(`article[data-folded="${evaluation}/${size}"] [data-result]`).waitFor()
    expect(await page.locator('[data-result]').textContent()).toBe(forJson(JSON.stringify(ran.json, null, 2)))
    expect(visit.incidents).toEqual([])
  })

  it.skipIf(server === null)('APP-14 shows what is queued and who works on it, as it changes', async () => {
    const undo: (() => Promise<unknown>)[] = []
    const database = await freshDatabase(server ?? '')
    const own = await machine(THREE, { env: { WITAN_POSTGRES_URL: database.url } })
    try {
      const asked = await own.run('ask', 'Shall we?', '--queue', '--json')
      const trace = String(asked.json.trace)
      const console = await startConsole(own.home, { postgres: database.url })
      undo.push(() => console.stop())
      const { page, incidents, context } = await visitConsole(walk.browser, console)
      undo.push(() => context.close())
      page.setDefaultTimeout(90_000)
      await page.getByRole('link', { name: 'Administration' }).click()
      const queue = page.getByRole('region', { name: 'Queue and workers' })
      await queue.getByText('0 workers; runs: 1 waiting').waitFor()
      await queue.getByText('No worker is there').waitFor()
      const schedules = page.getByRole('region', { name: 'Schedules' })
      await schedules.getByText('Nothing is scheduled.').waitFor()
      const at = ['schedule', 'add', 'nightly', '0 3 * * *', '--timezone', 'Europe/Paris', '--json']
      await own.run(...at, '--', 'ask', 'Shall we still?')
      const worker = startWorkerAt(own, ['--concurrency', '2'], undo)
      await worker.until('ended')
      await queue.getByText('1 worker; runs: 1 done').waitFor()
      await queue.getByText('0 of 2').waitFor()
      await page.reload()
      const nightly = schedules.getByRole('row').filter({ hasText: 'nightly' })
      await nightly.getByText('witan ask "Shall we still?"').waitFor()
      expect(await nightly.textContent()).toMatch(/0 3 \* \* \* Europe\/Paris20\d\d-\d\d-\d\d 0[12]:00:00/)
      await queue.getByRole('link', { name: trace }).click()
      await page.locator('.report').waitFor()
      expect(incidents).toEqual([])
    } finally {
      for (const one of undo.reverse()) await one()
      await own.server.close()
      await database.drop()
    }
  })
})
