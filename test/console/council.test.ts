// A council walked in a real browser, from the empty form to its follow-up: question, files, panel, mode, budget, the exact
// preview and the consent; then the report, a citation, the matrix; then a seat asked again, another chair, a follow-up. The
// models are scripted, on the loopback; one of them fails at first.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { here } from '../doors/here.ts'
import { openStub } from '../fakes/cli/stub.ts'
import { type CouncilServer, critique, playCouncil, review, target } from '../fakes/council.ts'
import { goTo, tabTo } from '../support/console.ts'
import { dropFiles, freshHome, inBrowser, traceAt, walkConsole } from '../support/console-walk.ts'

const RUN_OUT = 'the key of c has run out'
const SPOKEN = ['Shall we keep the lock?', 'Is the lock still needed?']

inBrowser('a council in the console', () => {
  let models: CouncilServer
  const walk = walkConsole(async () => {
    const where = await freshHome()
    models = await playCouncil({
      a: { R2: [review({ targets: [target('A', { critiques: [critique()] }), target('B')] })] },
      b: { R1: [{ act: 'error', kind: 'server', message: 'the oven of b is cold' }, { usual: true }] },
      c: {
        R1: [
          ...[1, 2].map(() => ({ act: 'error', kind: 'auth', message: RUN_OUT }) as const),
          { usual: true },
        ],
      },
    })
    const seat = (name: string): string =>
      `    - {name: ${name}, role: [participant, chair], model: ${name}, base_url: "${models.url}/v1"}`
    await writeFile(
      join(where.home, 'config.yaml'),
      [
        'council:\n  providers:',
        ...['a', 'b', 'c'].map(seat),
        'panels: {pair: {seats: [a, b], chair: b, budget: {cost: 1}}}\n',
      ].join('\n'),
    )
    await writeFile(join(where.cwd, 'plan.md'), 'The lock guards the shed.\n')
    return { where, undo: [() => models.close()] }
  })

  const said = (words: RegExp | string): boolean =>
    models.heard.some((asked) =>
      typeof words === 'string' ? asked.words.includes(words) : words.test(asked.words),
    )

  it('APP-3 is begun by the keyboard: nothing is sent before exactly what would be sent was shown and agreed to', async () => {
    const { page, visit, where } = walk
    await page.locator('main').focus()
    await page.keyboard.press('n')
    await tabTo(page, page.getByLabel('Question'))
    await page.keyboard.type(SPOKEN[0] ?? '')
    await tabTo(page, page.getByLabel('Mode'))
    await page.keyboard.type('arch')
    await tabTo(page, page.getByLabel('Panel'))
    await page.keyboard.type('pair')
    expect(await page.getByLabel(/^Seats/).isDisabled()).toBe(true)
    await tabTo(page, page.getByLabel(/^Stop asking once spent/))
    await page.keyboard.type('0.50')
    await tabTo(page, page.getByLabel(/^Files and folders/))
    await page.keyboard.type('plan.md')
    await dropFiles(page, [{ name: 'dropped.md', bytes: Buffer.from('The shed is dry.') }])
    await page.getByRole('listitem').filter({ hasText: 'dropped.md' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Show what would be sent' }))
    await page.keyboard.press('Enter')
    const preview = page.getByRole('region', { name: 'This would be sent' })
    await preview.getByText('b (b), a (a)').or(preview.getByText('a (a), b (b)')).waitFor()
    await preview.getByText(/At most/).waitFor()
    await preview.getByText(/not known for/).waitFor()
    for (const part of await preview.locator('summary').all()) {
      await tabTo(page, part)
      await page.keyboard.press('Enter')
    }
    const more = preview.getByRole('button', { name: /more characters$/ })
    while ((await more.count()) > 0) await more.first().click()
    const shown = (await preview.textContent()) ?? ''
    for (const words of [SPOKEN[0], 'The lock guards the shed.', 'The shed is dry.', 'plan.md', 'dropped.md'])
      expect(shown).toContain(words)
    // Nothing was asked so far; the way back keeps what was typed.
    expect(models.heard).toEqual([])
    await tabTo(page, preview.getByRole('button', { name: 'Change it' }))
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Question').inputValue()).toBe(SPOKEN[0])
    await tabTo(page, page.getByRole('button', { name: 'Show what would be sent' }))
    await page.keyboard.press('Enter')
    await tabTo(page, preview.getByRole('button', { name: 'Send it and begin' }))
    await page.keyboard.press('Enter')
    await page.locator('.report').waitFor()
    const events = (await here(where, 'show', traceAt(page), '0', '--json')).stdout
    expect(events).toContain('"mode":"architecture"')
    expect(models.calls().filter((call) => call.endsWith(' c'))).toEqual([])
    expect(said('The lock guards the shed.') && said('The shed is dry.')).toBe(true)
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 opens the cited words and the matrix of who said what, by mouse and by keyboard', async () => {
    const { page, visit } = walk
    // What failed on the way, in the words of the one who failed.
    await page
      .getByRole('region', { name: 'Seat b' })
      .getByText(/asked again after api: .*the oven of b is cold/)
      .waitFor()
    await page
      .locator('.report')
      .getByRole('button', { name: /^Show [abc], op-1$/ })
      .first()
      .click()
    await page.locator('#cite-op-1.cited').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('cite-op-1')
    const matrix = page.locator('.matrix')
    expect(await matrix.getByText('its own: not shown').count()).toBe(2)
    await matrix.getByText('saw it as “A”').first().waitFor()
    const tally = matrix.getByRole('button').first()
    await tabTo(page, tally)
    await page.keyboard.press('Enter')
    expect(await tally.getAttribute('aria-expanded')).toBe('true')
    await page.getByText('It forgets the backups.').waitFor()
    await page.getByText('First round: adopt 2').waitFor()
    // What a reviewer was shown: the prompt in parts, and where each part that is not Witan's own is on record.
    const council = traceAt(page)
    await matrix.getByRole('link', { name: 'on record' }).first().click()
    const event = page.getByRole('region', { name: /^Event \d+/ })
    const prompt = event.locator('.artifact', { hasText: 'request.json' })
    await prompt.getByRole('button', { name: 'Show content' }).click()
    await prompt.locator('.prompt .own').first().waitFor()
    await prompt
      .getByRole('link', { name: /^quotes event/ })
      .first()
      .click()
    await page.waitForURL(new RegExp(`/t/${council}/events/\\d+$`))
    await goTo(page, `/t/${council}`)
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 is begun by the mouse with all that are ready, says why a seat failed, and asks that seat again', async () => {
    const { page, visit, where } = walk
    await page.getByRole('link', { name: 'New council' }).click()
    await page.getByLabel('Question').fill(SPOKEN[1] ?? '')
    await page.getByRole('button', { name: 'Show what would be sent' }).click()
    await page.getByRole('button', { name: 'Send it and begin' }).click()
    await page.locator('.report').waitFor()
    const failed = page.getByRole('region', { name: 'Seat c' })
    const again = page.getByRole('button', { name: 'Ask again who failed: c' })
    // By the keyboard, when it fails once more, and by the mouse.
    for (const hand of [
      async () => {
        await tabTo(page, again)
        await page.keyboard.press('Enter')
      },
      () => again.click(),
    ]) {
      await failed.getByText(RUN_OUT).first().waitFor()
      const before = traceAt(page)
      await page.locator(`article[data-folded^="${before}/"] .report`).waitFor()
      await hand()
      await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(before))
    }
    const retried = traceAt(page)
    await page.locator(`article[data-folded^="${retried}/"] .report`).waitFor()
    await failed.locator('.stance').first().waitFor()
    expect((await here(where, 'verify', retried, '--json')).json).toMatchObject({ failures: [] })
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 is forked under another chair by the keyboard and by the mouse, with the same opinions and reviews', async () => {
    const { page, visit, where } = walk
    const before = traceAt(page)
    const asked = models.calls().length
    await tabTo(page, page.getByLabel('Same opinions and reviews, chaired by'))
    await page.keyboard.type('b')
    await tabTo(page, page.getByRole('button', { name: 'Fork' }))
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(before))
    await page.getByText('Written by b.').waitFor()
    expect(models.calls().slice(asked)).toEqual(['R3 b'])
    expect((await here(where, 'verify', traceAt(page), '--json')).json).toMatchObject({ failures: [] })
    const second = traceAt(page)
    await page.getByLabel('Same opinions and reviews, chaired by').selectOption('c')
    await page.getByRole('button', { name: 'Fork' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(second))
    await page.getByText('Written by c.').waitFor()
    expect(models.calls().slice(asked)).toEqual(['R3 b', 'R3 c'])
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 is followed up: the preview shows what the first concluded, and the seats are shown it', async () => {
    const { page, visit, where } = walk
    const before = traceAt(page)
    await tabTo(page, page.getByRole('link', { name: 'Follow up' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Follow up' }).waitFor()
    await page.getByLabel('Question').fill(`And if it rusts? My key is sk-ant-api03-${'x1Y2z3'.repeat(15)}AA`)
    await page.getByRole('button', { name: 'Show what would be sent' }).click()
    const preview = page.locator('.preview')
    // The question as it would be sent: what looked like a key is not in it.
    await preview.getByRole('heading', { name: 'Question' }).waitFor()
    await preview.getByText('And if it rusts?').first().waitFor()
    expect(await preview.textContent()).not.toContain('x1Y2z3')
    const more = preview.getByRole('button', { name: /more characters$/ })
    await preview.locator('summary').last().click()
    while ((await more.count()) > 0) await more.first().click()
    // The exact text holds what the first council concluded.
    expect(await preview.textContent()).toContain('All agree that it can be undone.')
    const asked = models.heard.length
    await page.getByRole('button', { name: 'Send it and begin' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.includes(before))
    await page.locator('.report').waitFor()
    const opinions = models.heard.slice(asked).filter(({ round }) => round === 'R1')
    expect(opinions.length).toBeGreaterThan(1)
    for (const { words } of opinions) expect(words).toContain('All agree that it can be undone.')
    const opening = (await here(where, 'show', traceAt(page), '0', '--json')).stdout
    expect(opening).toContain(before)
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 administers with models: who sits there, saved panels, a test question to each, and costs', async () => {
    const { page, visit } = walk
    await goTo(page, '/admin')
    const panels = page.getByRole('region', { name: 'Panels' })
    await panels.getByRole('row').filter({ hasText: 'a, b; chaired by b; at most $1.00' }).waitFor()
    const seats = page.getByRole('region', { name: 'Who can be asked' })
    await seats.getByText('a (a), b (b), c (c)').waitFor()
    await tabTo(page, seats.getByRole('button', { name: 'Ask each a test question' }))
    await page.keyboard.press('Enter')
    const status = seats.getByRole('status')
    await status.getByRole('row').filter({ hasText: /^c/ }).getByText('answered').waitFor()
    expect(await status.getByRole('cell', { name: 'answered', exact: true }).count()).toBe(3)
    expect(visit.incidents).toEqual([])
  })
})

inBrowser('a fallback in the console', () => {
  const walk = walkConsole(async () => {
    const where = await freshHome()
    process.env.WITAN_TEST_KEY = 'not a key'
    const program = await openStub('claude', [{ act: 'error', kind: 'server', message: 'Overloaded' }])
    const models = await playCouncil({ c: {}, a: {} })
    const url = `${models.url}/v1`
    const providers = [
      {
        name: 'claude',
        model: 'c',
        api_key_env: 'WITAN_TEST_KEY',
        transport: ['cli', 'api'],
        executable: program.program,
      },
      { name: 'a', model: 'a' },
    ].map((one) => ({ role: ['participant', 'chair'], api: 'openai-compatible', base_url: url, ...one }))
    await writeFile(join(where.home, 'config.yaml'), JSON.stringify({ council: { providers } }), {
      mode: 0o600,
    })
    return { where, undo: [() => models.close(), () => program.dispose()] }
  })

  it('VOX-4 says by which transport a seat answered, and why not by the one before, in the words of that one', async () => {
    const { page, visit, where } = walk
    const asked = await here(where, 'ask', 'Shall we keep the lock?', '--yes', '--json')
    expect(asked.code).toBe(0)
    await page
      .getByRole('navigation', { name: 'Traces' })
      .getByRole('link', { name: /keep the lock/ })
      .click()
    const seat = page.getByRole('region', { name: 'Seat claude' })
    await seat
      .getByText(/^by api after .*Overloaded/)
      .first()
      .waitFor()
    expect(
      await page
        .getByRole('region', { name: 'Seat a', exact: true })
        .getByText(/by api after/)
        .count(),
    ).toBe(0)
    expect(visit.incidents).toEqual([])
  })
})
