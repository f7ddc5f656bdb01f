// What is done with a trace, and the administration, walked in a real browser: export, proof, a file dropped onto the page,
// replay, erasure; seats, costs, queue, keys; the keyboard; a server that is killed and comes back.

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { withHome } from '../../src/app/home/home.ts'
import { here } from '../doors/here.ts'
import { goTo, signShown, startConsole, tabTo, visitConsole } from '../support/console.ts'
import { dropFiles, freshHome, inBrowser, sizeOf, traceOf, walkConsole } from '../support/console-walk.ts'
import { recordMany } from '../support/long-trace.ts'

inBrowser('traces in the console', () => {
  let trace: string
  const walk = walkConsole(async () => {
    const where = await freshHome()
    expect((await here(where, 'demo', '--fast', '--json')).code).toBe(0)
    trace = await traceOf(where, 'council')
    return { where }
  })

  const saved = async (press: () => Promise<unknown>): Promise<string> => {
    const [download] = await Promise.all([walk.page.waitForEvent('download'), press()])
    return (await download.path()) ?? ''
  }

  it('APP-3 exports a bundle and proves one event, and both verify, on the command line and dropped onto the page', async () => {
    const { page, visit, where } = walk
    await goTo(page, `/t/${trace}/keep`)
    const bundle = await saved(() => page.getByRole('button', { name: 'Bundle', exact: true }).click())
    const verified = await here(where, 'verify', bundle, '--json')
    expect(verified.json).toMatchObject({ status: 'pass' })
    await page.getByLabel(/^Event \(0 to/).fill('2')
    const prove = page.getByRole('button', { name: 'Prove it' })
    const proof = await saved(async () => {
      await tabTo(page, prove)
      await page.keyboard.press('Enter')
    })
    expect((await here(where, 'verify', proof, '--json')).json).toMatchObject({ status: 'pass' })
    // Dropped wherever one is: the page itself checks it, and names the same digest.
    const bytes = await readFile(bundle)
    await dropFiles(page, [{ name: 'given.witan', bytes }])
    await page.locator('.verdict[data-status="pass-with-warnings"]').waitFor()
    const altered = bytes.toString('utf8').replace(/20\d\d-/, '2019-')
    await dropFiles(page, [{ name: 'altered.witan', bytes: Buffer.from(altered) }])
    await page.locator('.verdict:is([data-status="fail"], .bad-edge)').waitFor()
    await dropFiles(page, [{ name: 'holiday.jpg', bytes: Buffer.from('ffd8ffe000104a464946', 'hex') }])
    await page.getByText('this file is not a Witan bundle').waitFor()
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 replays without a difference, and erases only after showing what the registry will say', async () => {
    const { page, visit, where } = walk
    await goTo(page, `/t/${trace}/keep`)
    await tabTo(page, page.getByRole('button', { name: 'Replay it' }))
    await page.keyboard.press('Enter')
    await page.locator('[data-replayed="0"]').waitFor()
    await goTo(page, '/')
    await goTo(page, `/t/${trace}/keep`)
    await page.getByRole('button', { name: 'Replay it' }).click()
    await page.locator('[data-replayed="0"]').waitFor()
    const types = await withHome({ directory: where.home, mode: 'read' }, async ({ store }) => {
      const found: string[] = []
      for await (const { header } of store.read(trace))
        found.push((JSON.parse(Buffer.from(header).toString()) as { type: string }).type)
      return found
    })
    const seq = types.indexOf('opinion_given')
    await goTo(page, `/t/${trace}/events/${seq}`)
    const detail = page.getByRole('region', { name: `Event ${seq}` })
    await detail.locator('summary', { hasText: `Erase the content of event ${seq}` }).click()
    await detail.getByLabel('Reason (recorded permanently)').last().fill('named someone')
    await detail.getByRole('button', { name: 'Erase…' }).last().click()
    expect(await signShown(page)).toContain('named someone')
    await detail.getByText('The content was erased').waitFor()
    expect((await here(where, 'show', trace, String(seq))).stdout).toMatch(/erased|redacted/i)
    // The next one by the keyboard, and left alone at first.
    const next = types.indexOf('opinion_given', seq + 1)
    await goTo(page, `/t/${trace}/events/${next}`)
    const other = page.getByRole('region', { name: `Event ${next}` })
    await tabTo(page, other.locator('summary', { hasText: `Erase the content of event ${next}` }))
    await page.keyboard.press('Enter')
    const erase = other.getByRole('button', { name: 'Erase…' }).last()
    await tabTo(page, other.getByLabel('Reason (recorded permanently)').last())
    await page.keyboard.type('named another')
    await tabTo(page, erase)
    await page.keyboard.press('Enter')
    const dialog = page.locator('dialog.confirm[open]')
    await tabTo(page, dialog.getByRole('button', { name: 'Do nothing' }))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect((await here(where, 'show', trace, String(next))).stdout).not.toMatch(/erased|redacted/i)
    await tabTo(page, erase)
    await page.keyboard.press('Enter')
    expect(await signShown(page, 'keyboard')).toContain('named another')
    await other.getByText('The content was erased').waitFor()
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 administers: who can be asked, costs by group, queue, evaluations, keys and registry, who was turned away', async () => {
    const { page, visit } = walk
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('heading', { name: 'Administration' }).waitFor()
    await page.getByRole('region', { name: 'Queue and workers' }).getByText('need PostgreSQL').waitFor()
    await page.getByRole('region', { name: 'Evaluations' }).getByText('witan eval SET').waitFor()
    const keys = page.getByRole('region', { name: 'Keys and registry' })
    await keys.getByRole('row').filter({ hasText: 'registrar' }).first().waitFor()
    const costs = page.getByRole('region', { name: 'Costs' })
    await costs.getByLabel('By').selectOption('seat')
    await costs.getByRole('columnheader', { name: 'seat' }).waitFor()
    await page
      .getByRole('region', { name: 'Turned away' })
      .getByText('sessions are open', { exact: false })
      .or(page.getByText('One session is open'))
      .waitFor()
    const seats = page.getByRole('region', { name: 'Who can be asked' })
    await seats.getByRole('button', { name: 'Ask each a test question' }).click()
    await seats
      .getByText(/no language model is ready|answered/)
      .first()
      .waitFor()
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 is walked by the keyboard throughout: search, lists, tabs, help, back', async () => {
    const { page, visit } = walk
    await goTo(page, '/')
    await page.locator('main').focus()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('search')
    await page.keyboard.type('lock')
    await page.keyboard.press('Enter')
    await page.locator('.found, .find').first().waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('h')
    await page.locator('.find').waitFor({ state: 'hidden' })
    await page.locator('[data-entry]').first().waitFor()
    await page.keyboard.press('j')
    await page.locator('[data-entry]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/t\//)
    await page.getByRole('link', { name: 'Council', exact: true }).waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('2')
    await page.locator('.virtual').waitFor()
    // Faster than the page draws: no key is lost.
    await page.evaluate(
      "['j', 'j'].forEach((key) => dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true })))",
    )
    await page.waitForURL(/\/events\/1$/)
    await page.keyboard.press('k')
    await page.waitForURL(/\/events\/0$/)
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/events$/)
    await page.keyboard.press('3')
    await page.locator('.verdict[data-status]').waitFor()
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 is walked by the mouse throughout: views, lists, search, tabs, events, colours, help, back, a kept address', async () => {
    const { page, visit } = walk
    for (const [link, title] of [
      ['Inbox', 'Nothing waits for you'],
      ['New council', 'Put a question before a council'],
      ['Check a file', 'Check a file'],
      ['Administration', 'Administration'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: link }).click()
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    }
    await page.getByRole('button', { name: 'Keyboard help' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor({ state: 'hidden' })
    // Colours go round: the system's, dark, light.
    const seen: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      await page.getByRole('button', { name: /^Colours/ }).click()
      seen.push(String(await page.evaluate(`getComputedStyle(document.documentElement).colorScheme`)))
    }
    expect(seen).toEqual(['dark', 'light', 'light dark'])
    await page.getByRole('link', { name: 'Witan', exact: true }).click()
    await page.locator('.home tbody').getByRole('link').first().click()
    await page.waitForURL(/\/t\//)
    for (const tab of ['Events', 'Verify', 'Result', 'Export', 'Events']) {
      await page.locator('.tabs').getByRole('link', { name: tab, exact: true }).click()
      await page.locator('.tabs a[aria-current]', { hasText: tab }).waitFor()
    }
    await page.locator('#row-1').click()
    const detail = page.getByRole('region', { name: 'Event 1', exact: true })
    await detail.locator('summary', { hasText: 'Raw' }).click()
    await detail.getByText('Signature (Ed25519').waitFor()
    const kept = page.url()
    await detail.getByRole('button', { name: 'Close' }).click()
    await detail.waitFor({ state: 'hidden' })
    await page.getByRole('searchbox').fill('lock')
    await page.keyboard.press('Enter')
    await page.locator('.found-entry').first().click()
    await page.getByRole('region', { name: /^Event \d+/ }).waitFor()
    await page.goBack()
    await page.locator('.found-entry').first().waitFor()
    // An address that one sent to oneself.
    const tab = await visit.context.newPage()
    await tab.goto(kept)
    await tab.getByRole('region', { name: 'Event 1', exact: true }).waitFor()
    await tab.close()
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 says in an empty home what to type, and in one that only reads where to decide', async () => {
    const empty = await freshHome()
    const console = await startConsole(empty.home, { isReadOnly: true })
    const { page, incidents, context } = await visitConsole(walk.browser, console)
    await page.locator('main').getByText('witan demo', { exact: true }).waitFor()
    await page.getByText('Read-only: start the console at a terminal').waitFor()
    for (const [path, words] of [
      ['/inbox', 'witan demo agents'],
      ['/new', 'This console only reads. In a terminal: witan ask'],
      ['/find', 'Type words into the search field'],
      ['/admin', 'Nothing was asked yet'],
    ] as const) {
      await goTo(page, path)
      await page.getByText(words).first().waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await goTo(page, '/t/01J00000000000000000000000')
    await page.getByRole('heading', { name: 'There is no such trace in this home', level: 1 }).waitFor()
    expect(await page.locator('.line-notice .notice').count()).toBe(0)
    await goTo(page, '/admin')
    await page.getByRole('region', { name: 'Schedules' }).getByText('schedules need PostgreSQL').waitFor()
    expect(await page.getByRole('button', { name: 'Ask each a test question' }).count()).toBe(0)
    expect(incidents).toEqual([])
    await context.close()
    await console.stop()
  })

  it('APP-3 says that the line is lost, takes it up again by itself, and has missed nothing', async () => {
    const { page, visit, where } = walk
    const pool = (await here(where, 'exchange', 'run', '--demo', '--rounds', '4', '--json')).json as {
      trace: string
    }
    await goTo(page, `/t/${pool.trace}/events`)
    await page.locator('.virtual-row').first().waitFor()
    const { port } = walk.console
    await walk.console.stop()
    await page.getByText('The connection is lost').waitFor()
    await here(where, 'exchange', 'run', pool.trace, '--rounds', '4', '--json')
    walk.console = await startConsole(where.home, { port })
    await page.getByText('This session has ended').waitFor()
    // A new link, opened in the same browser, is enough: the page that was left open continues where it stopped.
    const tab = await visit.context.newPage()
    await tab.goto(walk.console.link)
    await tab.close()
    const size = await sizeOf(where, pool.trace)
    await page.locator(`article[data-folded="${pool.trace}/${size}"]`).waitFor()
    expect(await page.locator('.line-notice .notice').count()).toBe(0)
    visit.incidents.splice(0)
  })

  it('APP-3 holds a window of a long trace, and fetches older events when they are looked at', async () => {
    const { page, visit, where } = walk
    visit.incidents.splice(0)
    const long = await recordMany(where.home, 2_600)
    const asked: string[] = []
    page.on('request', (sent) => {
      if (sent.url().includes(`${long}/events?`)) asked.push(new URL(sent.url()).search)
    })
    await goTo(page, `/t/${long}/events`)
    const list = page.getByRole('listbox', { name: 'Events' })
    await list.locator('[aria-setsize="2600"]').first().waitFor()
    await list.focus()
    await page.keyboard.press('End')
    await page.waitForURL(/\/events\/2599$/)
    await list.locator('#row-2599', { hasText: 'clerk' }).waitFor()
    expect(asked.filter((search) => search.includes('from=2'))).toEqual([])
    await goTo(page, `/t/${long}/events/500`)
    await list.locator('#row-500', { hasText: 'clerk' }).waitFor()
    await page.getByRole('region', { name: 'Event 500' }).waitFor()
    expect(asked).toContain('?from=400&to=600')
    expect(visit.incidents).toEqual([])
  })
})
