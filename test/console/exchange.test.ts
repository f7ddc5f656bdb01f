// An exchange walked in a real browser, by mouse and by keyboard: the observer speaks, pins, steers, branches, rolls back,
// amends and compares; the map grows while it is looked at. Every act is a signed event, and the traces verify.

import { expect, it } from 'vitest'
import { here } from '../doors/here.ts'
import { goTo, signShown, tabTo } from '../support/console.ts'
import { freshHome, inBrowser, traceAt, walkConsole } from '../support/console-walk.ts'
import { openPoolHome, type PoolHome, restartScript, traceOf, verifyFault } from '../support/pool-home.ts'

interface Status {
  readonly round: number
  readonly status: string
}

inBrowser('an exchange in the console', () => {
  let first: string
  const walk = walkConsole(async () => {
    const where = await freshHome()
    const run = await here(where, 'exchange', 'run', '--demo', '--rounds', '14', '--json')
    first = (run.json as { trace: string }).trace
    return { where }
  })

  const statusOf = async (trace: string): Promise<Status> =>
    (await here(walk.where, 'exchange', 'status', trace, '--json')).json as unknown as Status

  it('APP-3 takes words, pins, pauses, more rounds and new terms by the mouse, each shown before it is signed', async () => {
    const { page, visit } = walk
    await goTo(page, `/t/${first}`)
    await page.getByLabel('Words for the pool, or a reason').fill('Mind the lighthouse')
    await page.getByRole('button', { name: 'Inject…' }).click()
    expect(await signShown(page)).toContain('Mind the lighthouse')
    const injected = page.locator('.message-injection', { hasText: 'Mind the lighthouse' })
    await injected.waitFor()
    await injected.getByRole('button', { name: /^pin / }).click()
    await signShown(page)
    await injected.getByText('pinned').waitFor()
    await injected.getByRole('button', { name: /^unpin / }).click()
    await signShown(page)
    await injected.getByText('pinned').waitFor({ state: 'detached' })
    await page.getByLabel('Words for the pool, or a reason').fill('I am listening')
    await page.getByRole('button', { name: /^(Say|Answer the audit)…$/ }).click()
    expect(await signShown(page)).toContain('I am listening')
    await page.locator('.message-observer', { hasText: 'I am listening' }).waitFor()
    await page.getByLabel('Words for the pool, or a reason').fill('a pause to think')
    await page.getByRole('button', { name: 'Pause…' }).click()
    await signShown(page)
    await page.getByText('Stopped: ').waitFor()
    await page.getByText('Amend the terms').click()
    await page.getByLabel('What the pool is asked').fill('Talk about the sea')
    await page.getByText('Changed: pool.prompt').waitFor()
    await page.getByRole('button', { name: 'Amend…', exact: true }).click()
    expect(await signShown(page)).toContain('Talk about the sea')
    await page.getByRole('listitem').filter({ hasText: 'pool.prompt' }).waitFor()
    const { round } = await statusOf(first)
    await page.getByLabel('Let it think for rounds').fill('3')
    await page.getByRole('button', { name: 'Continue…' }).click()
    await signShown(page)
    await page.getByText(`${round + 3} of ${round + 3} granted`).waitFor()
    expect(await statusOf(first)).toMatchObject({ round: round + 3, status: 'open' })
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 branches and rolls back by the keyboard, shows the tree, and compares two courses', async () => {
    const { page, visit, where } = walk
    await goTo(page, `/t/${first}`)
    const forms = page.locator('summary', { hasText: 'Branch or roll back' })
    await tabTo(page, forms)
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel(/^After round/))
    await page.keyboard.type('4')
    await tabTo(page, page.getByRole('button', { name: 'Branch…', exact: true }))
    await page.keyboard.press('Enter')
    await signShown(page, 'keyboard')
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(first))
    const branch = traceAt(page)
    expect(await statusOf(branch)).toMatchObject({ round: 4, status: 'open' })
    expect(await statusOf(first)).toMatchObject({ status: 'open' })
    await page.getByText('Let it think for rounds').waitFor()
    await page.getByLabel('Let it think for rounds').fill('2')
    await page.keyboard.press('Enter')
    await signShown(page, 'keyboard')
    await page.getByText('6 of 6 granted').waitFor()
    // The third tab of an exchange is the tree of its branches.
    await page.locator('main').focus()
    await page.keyboard.press('3')
    const tree = page.locator('.branches')
    await tree.getByText('from round 4').waitFor()
    const compare = tree.getByRole('button', { name: `Compare with …${first.slice(-6)}` })
    await tabTo(page, compare)
    await page.keyboard.press('Enter')
    await page.locator('.comparison[data-parted="4"]').waitFor()
    const told = (await here(where, 'exchange', 'compare', branch, first, '--json')).json as {
      parted: number
    }
    expect(told.parted).toBe(4)
    await goTo(page, '/')
    await goTo(page, `/t/${branch}`)
    await page.locator('.tabs').getByRole('link', { name: 'Branches' }).click()
    await compare.click()
    await page.locator('.comparison[data-parted="4"]').waitFor()
    await goTo(page, `/t/${branch}`)
    await page.locator('summary', { hasText: 'Branch or roll back' }).click()
    await page.getByLabel(/^After round/).fill('5')
    await page.getByRole('button', { name: 'Roll back…' }).click()
    await signShown(page)
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(branch))
    expect(await statusOf(branch)).toMatchObject({ status: 'moved' })
    const last = traceAt(page)
    await tabTo(page, page.getByLabel('Words for the pool, or a reason'))
    await page.keyboard.type('this course is done')
    await tabTo(page, page.getByRole('button', { name: 'Halt for good…' }))
    await page.keyboard.press('Enter')
    expect(await signShown(page, 'keyboard')).toContain('this course is done')
    await page.locator('.facts').getByText('halted').waitFor()
    expect(await statusOf(last)).toMatchObject({ status: 'halted' })
    for (const trace of [first, branch, last])
      expect((await here(where, 'verify', trace, '--json')).json).toMatchObject({ failures: [] })
    expect(visit.incidents).toEqual([])
  })

  it('EXC-MAP-1 shows the pool by themes and over time, with lineage, and grows while it is looked at', async () => {
    const { page, visit, where } = walk
    await goTo(page, `/t/${first}`)
    await page.getByRole('link', { name: 'Map', exact: true }).waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('2')
    const map = page.locator('.map')
    await map.waitFor()
    const points = async (): Promise<number> => Number(await map.getAttribute('data-points'))
    const before = await points()
    expect(before).toBeGreaterThan(10)
    expect(await page.locator('.map-columns .themes li').count()).toBeGreaterThan(0)
    await tabTo(page, page.getByRole('img', { name: /^Map of/ }))
    for (let i = 0; i < before; i++) {
      await page.keyboard.press('ArrowRight')
      if ((await page.locator('.map-words').textContent())?.includes(' was shown 1.')) break
    }
    expect(await page.locator('.map-words').textContent()).toMatch(/in round \d+ .* was shown [\d., p]+;/)
    await tabTo(page, page.getByLabel(/^Up to round/))
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowLeft')
    await expect.poll(points).toBeLessThan(before)
    await page.keyboard.press('End')
    await expect.poll(points).toBe(before)
    await page.locator('.map-columns .themes button').first().click()
    expect(await page.locator('.map-columns .themes button').first().getAttribute('aria-pressed')).toBe(
      'true',
    )
    // Another process lets the pool think on: the map follows.
    await here(where, 'exchange', 'run', first, '--rounds', '3', '--json')
    await expect.poll(points, { timeout: 60_000 }).toBeGreaterThan(before)
    expect(visit.incidents).toEqual([])
  })

  it('EXC-MAP-1 draws ten thousand messages, and finds the one under the pointer with what it came from', async () => {
    const { page, visit } = walk
    const point = (n: number) => ({
      id: `${n}.1`,
      round: n,
      author: `mind-${n % 5}`,
      text: `message ${n}`,
      asks: n % 500 === 0,
      x: ((n * 7919) % 10_007) / 10_007,
      y: ((n * 104_729) % 10_009) / 10_009,
      theme: `c${n % 12}`,
      from: n === 0 ? [] : [`${n - 1}.1`],
    })
    const data = {
      title: 'many',
      demo: false,
      encoder: 'e',
      points: Array.from({ length: 10_000 }, (_, n) => point(n)),
      themes: Array.from({ length: 12 }, (_, n) => ({
        id: `c${n}`,
        label: `theme ${n}`,
        excerpt: '',
        size: 833,
      })),
      series: [],
      raise: 0.3,
      clear: 0.15,
    }
    await page.route('**/api/traces/*/map', (route) =>
      route.fulfill({ json: { data, left_out: 0, is_quick: true } }),
    )
    await goTo(page, '/')
    await goTo(page, `/t/${first}/map`)
    const map = page.locator('.map[data-points="10000"]')
    await map.waitFor()
    const box = await map.boundingBox()
    if (!box) throw new Error('the map has no size')
    const { x, y } = data.points[5_000] ?? { x: 0, y: 0 }
    await page.mouse.move(box.x + 19 + x * (box.width - 38), box.y + 19 + y * (box.height - 38))
    await expect
      .poll(() => page.locator('.map-words').textContent())
      .toContain('1 later message came from it')
    const drawn = await page.evaluate(`(() => {
      const [canvas] = document.querySelectorAll('.map canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      let inked = 0
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) inked++
      return inked / (data.length / 4)
    })()`)
    expect(Number(drawn)).toBeGreaterThan(0.1)
    await page.unroute('**/api/traces/*/map')
    expect(visit.incidents).toEqual([])
  })
})

inBrowser('a restart signal in the console', () => {
  let house: PoolHome
  let pool: string
  const walk = walkConsole(async () => {
    house = await openPoolHome()
    house.script = restartScript
    const terms = await house.terms('restless.yaml')
    pool = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', '12', '--json'), 8)
    return { where: house.where, undo: [() => house.server.close()] }
  })

  it('EXC-INT-1 waits for the observer with its evidence, and is answered by the mouse; the pool goes on', async () => {
    const { page, visit } = walk
    const waiting = page.getByRole('region', { name: /^Waiting for you/ })
    await waiting.getByRole('link').first().waitFor()
    await page.getByRole('link', { name: 'Inbox 1' }).click()
    await page.getByRole('heading', { name: '1 decision waits for you' }).waitFor()
    await page.getByRole('region', { name: 'Answered on its own page' }).getByRole('link').click()
    await page.getByText('Restart signal 1').waitFor()
    await page.locator('.notice .citation').first().waitFor()
    expect(await page.locator('.asks-restart').count()).toBeGreaterThan(3)
    await page.getByLabel('Words for the pool, or a reason').fill('heard, go on')
    await page.getByRole('button', { name: 'Acknowledge…' }).click()
    const shown = await signShown(page)
    expect(shown).toContain('signal_answered')
    expect(shown).toContain('"answer": "acknowledge"')
    expect(shown).toContain('ana')
    await page.getByText('Restart signal 1').waitFor({ state: 'detached' })
    const answers = (await house.events(pool)).filter(({ type }) => type === 'signal_answered')
    expect(answers.map(({ actor, payload }) => [actor.agent, payload?.answer, payload?.via])).toEqual([
      ['ana', 'acknowledge', 'console'],
    ])
    expect(await verifyFault(house, pool)).toBeNull()
    expect(visit.incidents).toEqual([])
  })

  it('EXC-INT-2 is acknowledged and honoured by new terms by the keyboard, and the pool is told of it', async () => {
    const { page, visit } = walk
    await tabTo(page, page.getByLabel('Let it think for rounds'))
    await page.keyboard.press('Enter')
    await signShown(page, 'keyboard')
    await page.getByText('Restart signal 2').waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Acknowledge…' }))
    await page.keyboard.press('Enter')
    expect(await signShown(page, 'keyboard')).toContain('"answer": "acknowledge"')
    await page.getByText('Restart signal 2').waitFor({ state: 'detached' })
    await tabTo(page, page.getByLabel('Let it think for rounds'))
    await page.keyboard.press('Enter')
    await signShown(page, 'keyboard')
    await page.getByText('Restart signal 3').waitFor()
    await tabTo(page, page.locator('summary', { hasText: 'Amend the terms' }))
    await page.keyboard.press('Enter')
    const prompt = page.getByLabel('What the pool is asked')
    await tabTo(page, prompt)
    await prompt.press('Control+a')
    await page.keyboard.type('Think about lakes.')
    await tabTo(page, page.getByRole('button', { name: 'Amend…', exact: true }))
    await page.keyboard.press('Enter')
    expect(await signShown(page, 'keyboard')).toContain('Think about lakes.')
    await page.getByText('Restart signal 3').waitFor({ state: 'detached' })
    const before = house.asked.length
    await page.getByLabel('Let it think for rounds').fill('1')
    await page.getByRole('button', { name: 'Continue…' }).click()
    await signShown(page)
    await expect.poll(() => house.asked.length, { timeout: 60_000 }).toBeGreaterThan(before)
    const asked = house.asked.slice(before).filter(({ isAudit }) => !isAudit)
    for (const { words } of asked) expect(words).toContain('Think about lakes.')
    expect(visit.incidents).toEqual([])
  })
})
