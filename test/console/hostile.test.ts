// Everything in a trace may be written by someone who wants the console to run it or to lie: a model, a file, a tool, a
// person. None of it becomes an element, a script, a style or a request, and none of it can hide or turn what is shown: not
// in any view, not while it streams, not in a file that is dropped, not in what is about to be signed.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inHome } from '../../src/app/storage.ts'
import { agents } from '../../src/doors/library/agents.ts'
import { council } from '../../src/doors/library/council.ts'
import { exchange } from '../../src/doors/library/exchange.ts'
import { type OwnQuestion, ownModel } from '../../src/models/own-model.ts'
import { createSeat } from '../../src/models/seat/seat.ts'
import { directory } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import { opinion, report, review, target } from '../fakes/council.ts'
import { ALL_INJECTIONS, INJECTIONS, injector, markOf } from '../fakes/injections.ts'
import { simulate } from '../fakes/simulated-members.ts'
import { goTo } from '../support/console.ts'
import { dropFiles, freshHome, inBrowser, type Place, walkConsole } from '../support/console-walk.ts'
import { startDrippingServer } from '../support/dripping-server.ts'
import { openAt } from '../support/eval-run.ts'

const hostile = injector()
const time = { now: () => performance.now(), sleep: async () => undefined }

/** Every text of an answer with hostile ones behind it; words that mean something to the protocol stay. */
const poisoned = <Value>(value: Value): Value => {
  if (typeof value === 'string')
    return (/^[a-z_-]{0,14}$|^op-|^rv-|^A$/.test(value) ? value : `${value} ${hostile()}`) as Value
  if (Array.isArray(value)) return value.map(poisoned) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one)])) as Value
}

const summary = report({ summary: `So it is.\n\n${INJECTIONS.join('\n\n')}` })
const cited = [{ point: 'It can be undone.', supported_by: ['op-1', 'x\u202e<b onclick=window.__pwned=1>'] }]

function answer({ schema }: OwnQuestion): string {
  const properties = (schema?.properties ?? {}) as object
  if ('decision' in properties) return JSON.stringify({ ...poisoned(summary), rationale: cited })
  if ('targets' in properties) return JSON.stringify(poisoned(review({ targets: [target('A')] })))
  return JSON.stringify(poisoned(opinion()))
}

const seatOf = (provider: string) => ({
  seat: createSeat({
    provider,
    model: `m ${INJECTIONS[3]}`.slice(0, 60),
    roles: ['participant', 'chair'],
    minds: [ownModel({ provider, answer })],
    time,
  }),
})

const planOf = () => ({
  objective: `Read ${hostile()}`,
  steps: [
    { id: 'read', tool: 'files.read', input: { path: 'evil.html' }, justification: `look ${hostile()}` },
  ],
  claims: [
    {
      text: `It says so ${hostile()}`,
      confidence: 'high' as const,
      evidence: [{ step: 'read', quote: '</script><script>' }],
    },
  ],
})

/** One trace of each kind, and a session that waits for a person. */
async function fill({ home, cwd }: Place): Promise<Readonly<Record<string, string>>> {
  const storage = await inHome(home)
  const sat = council({ question: `Shall we? ${hostile()}`, seats: [seatOf('a'), seatOf('b')], storage })
  await sat.result
  const workspace = join(cwd, 'work')
  await mkdir(workspace)
  await writeFile(join(workspace, 'evil.html'), ALL_INJECTIONS)
  const task = { objective: `Read it ${hostile()}`, proposals: [planOf()] }
  const session = agents({ workspace, storage, task })
  await session.result
  const pool = exchange({
    storage,
    rounds: 4,
    terms: {
      pool: { prompt: `Talk ${hostile()}`, minds: ['m'], window: 20, sample: 3, seed: 7 },
      auditor: { spec: `sum up ${hostile()}`, mind: 'm', every: 3, sample: 5 },
      observer: { name: 'ana', role: `I watch ${hostile()}` },
    },
    minds: { m: ownModel({ provider: 'm', answer: () => `I say ${hostile()}` }) },
  } as unknown as Parameters<typeof exchange>[0])
  await pool.result.catch(() => undefined)
  const models = await simulate({
    members: { ada: { knows: (n) => n }, ben: { knows: () => 0 } },
    chair: (n) => n,
  })
  const item = { id: `one ${INJECTIONS[1]}`, input: `Which number has item 1? ${hostile()}`, target: '1' }
  const evaluation = await openAt(storage, models.url, ['ada', 'ben'], JSON.stringify(item))
  await evaluation.drive()
  await models.close()
  await storage.close()
  const waiting = {
    ...task,
    workspace: './work',
    policy: 'strict',
    roles: { critic: ['policy', 'human'] },
    tools: ['files.read'],
  }
  await writeFile(join(cwd, 'task.yaml'), JSON.stringify(waiting))
  expect((await here({ home, cwd }, 'agents', 'run', 'task.yaml', '--yes', '--json')).code).toBe(8)
  return {
    council: await sat.trace,
    agents: await session.trace,
    exchange: await pool.trace,
    eval: evaluation.trace,
  }
}

/** What text by others could become, and none of it does. */
const FORBIDDEN =
  ':is(img, svg, iframe, object, embed, base, style, script, video, audio, math, form[action], [style*="url"], a[href^="javascript"], a[href^="http"], a[href^="//"])'
const STEERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u

/** Attributes too: names for screen readers, tips, and the title of the window. */
const SAID = `[document.title, ...[...document.body.querySelectorAll('*')].flatMap((one) =>
  [...one.attributes].map(({ value }) => value)), document.body.textContent].join('\\n')`

inBrowser('hostile words', () => {
  let traces: Readonly<Record<string, string>>
  const seen: string[] = []
  const walk = walkConsole(async () => {
    const where = await freshHome()
    traces = await fill(where)
    return { where }
  })

  /** Opens everything that can be opened here, and looks at all of it. */
  async function look(page: Page, opening: readonly Locator[] = []): Promise<string> {
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
    for (const button of opening) for (const one of await button.all()) await one.click()
    for (const name of ['Show content', /more characters$/]) {
      const button = page.locator('main').getByRole('button', { name })
      while ((await button.count()) > 0) await button.first().click()
    }
    const text = String(await page.evaluate(SAID))
    expect(STEERS.exec(text.replace(/[\n\t]/g, ''))).toBeNull()
    expect(await page.evaluate('window.__pwned')).toBeUndefined()
    expect(await page.locator(`body ${FORBIDDEN}`).count()).toBe(0)
    seen.push(text)
    return text
  }

  it('APP-8 are text in every view of every kind of trace: nothing runs, loads or is policed', async () => {
    const { page, visit } = walk
    const every = ['/events', '/events/0', '/events/2', '/events/5', '/verify', '/result', '/keep']
    const views = Object.entries(traces).flatMap(([kind, trace]) => [
      ...['', ...every].map((tab) => `/t/${trace}${tab}`),
      ...(kind === 'exchange' ? [`/t/${trace}/map`, `/t/${trace}/branches`] : []),
    ])
    for (const path of views) {
      await goTo(page, path)
      await page.locator(`.tabs a[aria-current][href="${path.replace(/\/\d+$/, '')}"]`).waitFor()
      if (path.endsWith('/verify')) await page.locator('.verdict[data-status]').waitFor()
      const text = await look(page, [
        page.locator('.matrix').getByRole('button'),
        page.locator('.quote').getByRole('button'),
      ])
      if (!/verify|keep|map|branches|events/.test(path)) expect(text).toMatch(/inj\d\d\d/)
    }
    await goTo(page, `/t/${traces.agents}`)
    for (const way of ['graph', 'timeline']) {
      await page.getByRole('button', { name: way }).click()
      await look(page)
    }
    expect(visit.incidents).toEqual([])
  })

  it('APP-8 are text in lists, search, the inbox and what is about to be signed', async () => {
    const { page, visit } = walk
    for (const path of ['/', '/find?q=instructions', '/find?q=script', '/admin', '/inbox']) {
      await goTo(page, path)
      await page.locator('main h1').waitFor()
      await look(page)
    }
    await page.getByLabel('Reason (recorded permanently)').fill(ALL_INJECTIONS.replace(/[\r\n]/g, ' '))
    await page.getByRole('button', { name: 'Reject…' }).click()
    await page.locator('dialog.confirm[open]').waitFor()
    await look(page)
    await page.getByRole('button', { name: 'Do nothing' }).click()
    expect(visit.incidents).toEqual([])
  })

  it('APP-8 are text in a bundle that was dropped, under a hostile name', async () => {
    const { page, visit, where } = walk
    for (const trace of Object.values(traces)) {
      const file = join(await directory(), 'x.witan')
      await here(where, 'export', trace, '-o', file)
      await goTo(page, '/check')
      await dropFiles(page, [
        { name: 'a\u202e<img src=x onerror=window.__pwned=1>', bytes: await readFile(file) },
      ])
      await page.locator('.verdict[data-status]').waitFor()
      await look(page)
    }
    expect(visit.incidents).toEqual([])
  })

  it('APP-8 are text in a preview, and while a model writes them', async () => {
    const { page, visit, where } = walk
    let isHeld = true
    const models = await startDrippingServer(() => ({
      drip: { times: null, everyMs: 40, as: 'words', words: `${hostile()} `, while: () => isHeld },
      text: JSON.stringify(opinion()),
    }))
    try {
      const seat = (name: string): object => ({ name, model: 'fake-1', base_url: models.url })
      const providers = [seat('one'), seat('two')]
      await writeFile(join(where.home, 'config.yaml'), JSON.stringify({ council: { providers } }))
      await goTo(page, '/new')
      await page.getByLabel('Question').fill(`Shall we? ${hostile()}`)
      await dropFiles(page, [{ name: '<b>x\u202e.md', bytes: Buffer.from(ALL_INJECTIONS) }])
      await page.getByText('.md').first().waitFor()
      await look(page)
      await page.getByRole('button', { name: 'Show what would be sent' }).click()
      await page.locator('.preview').waitFor()
      await look(page)
      await page.getByRole('button', { name: 'Send it and begin' }).click()
      await page.locator('.live').first().waitFor()
      await page
        .locator('.live', { hasText: /inj\d\d\d/ })
        .first()
        .waitFor()
      await look(page)
      expect(visit.incidents).toEqual([])
    } finally {
      isHeld = false
      await models.dispose()
    }
  })

  it('APP-8 were each shown somewhere', () => {
    const all = seen.join('\n')
    expect(INJECTIONS.flatMap((text, i) => (all.includes(markOf(i)) ? [] : [text]))).toEqual([])
    expect(all).toContain('</script><script>')
  })
})
