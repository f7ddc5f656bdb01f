// Every page of the console as people with other eyes, hands and screens meet it: axe objects to nothing in either scheme,
// nothing is wider than the screen from 390 to 2,560 pixels, and nothing moves for those who asked for no motion.

import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { personName } from '../../src/app/home/signers.ts'
import { inHome } from '../../src/app/storage.ts'
import { here } from '../doors/here.ts'
import { simulate, simulatedSet } from '../fakes/simulated-members.ts'
import { goTo } from '../support/console.ts'
import { freshHome, inBrowser, traceOf, walkConsole } from '../support/console-walk.ts'
import { openAt } from '../support/eval-run.ts'
import { projectRoot } from '../support/sources.ts'

const TASK = {
  objective: 'Write the note',
  workspace: './vendor',
  policy: 'strict',
  roles: { critic: ['policy', 'human'] },
  tools: ['files.read', 'files.write'],
  proposals: [
    {
      objective: 'Write a note',
      expected_evidence: ['licence text'],
      steps: [
        { id: 'read', tool: 'files.read', input: { path: 'alpha/LICENSE' }, justification: 'licence' },
        { id: 'write', tool: 'files.write', input: { path: 'N.md', content: 'MIT' }, justification: 'note' },
      ],
      claims: [
        { text: 'alpha is MIT', confidence: 'high', evidence: [{ step: 'read', quote: 'MIT License' }] },
      ],
    },
  ],
}

/** What can be otherwise on a narrow screen. */
const NARROW = ['page-has-heading-one', 'heading-order', 'scrollable-region-focusable']

/** A view: where it is, and what is done there to see all of it. */
type View = readonly [path: string, open?: (page: Page) => Promise<unknown>]

inBrowser('the pages of the console', () => {
  let views: readonly View[]

  const walk = walkConsole(async () => {
    const where = await freshHome()
    await cp(join(projectRoot, 'examples/agents/vendor'), join(where.cwd, 'vendor'), { recursive: true })
    await here(where, 'demo', '--fast', '--json')
    const sat = await traceOf(where, 'council')
    await here(where, 'exchange', 'run', '--demo', '--rounds', '6', '--json')
    await here(where, 'keys', 'add', personName(), '--role', 'critic')
    await writeFile(join(where.cwd, 'task.yaml'), JSON.stringify(TASK))
    expect((await here(where, 'agents', 'run', 'task.yaml', '--yes', '--json')).code).toBe(8)
    const models = await simulate({
      members: { ada: { knows: (n) => n }, ben: { knows: () => 0 } },
      chair: (n) => n,
    })
    const openHome = await inHome(where.home)
    await (await openAt(openHome, models.url, ['ada', 'ben'], simulatedSet(2))).drive()
    await openHome.close()
    await models.close()
    const [pool, session, evaluation] = await Promise.all(
      ['exchange', 'agents', 'eval'].map((protocol) => traceOf(where, protocol)),
    )
    const branched = await here(where, 'exchange', 'branch', pool ?? '', '--at', '3', '--json')
    const course = (branched.json as { into: string }).into
    const unfold = (page: Page) =>
      page.evaluate(`for (const one of document.querySelectorAll('main details')) one.open = true`)
    const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
    views = [
      ['/'],
      [
        `/t/${sat}`,
        async (page) => {
          await page.locator('.matrix').getByRole('button').first().click()
          await unfold(page)
        },
      ],
      [`/t/${sat}/events/3`, unfold],
      [`/t/${sat}/verify`, (page) => page.locator('.verdict[data-status]').waitFor()],
      [`/t/${sat}/result`],
      [`/t/${sat}/keep`, unfold],
      [`/t/${session}`, unfold],
      [`/t/${session}`, press('graph')],
      [`/t/${session}`, press('timeline')],
      [`/t/${pool}`, unfold],
      [`/t/${pool}/map`, (page) => page.locator('.map').waitFor()],
      [`/t/${pool}/branches?with=${course}`, (page) => page.locator('.comparison').waitFor()],
      [`/t/${evaluation}`, (page) => page.locator('.eval').waitFor()],
      ['/check'],
      [
        '/inbox',
        async (page) => {
          await page.locator('.inbox-entry').first().waitFor()
          await unfold(page)
          await page.getByRole('heading', { name: 'strict, of the task' }).first().waitFor()
        },
      ],
      ['/t/01J00000000000000000000000', (page) => page.getByText('may be in another home').waitFor()],
      ['/new'],
      [
        `/new/${sat}`,
        async (page) => {
          await page.getByLabel('Question').fill('And then?')
          await page.getByRole('button', { name: 'Show what would be sent' }).click()
          await page.locator('.preview, .told-line .notice').first().waitFor()
          await unfold(page)
        },
      ],
      [
        '/admin',
        (page) => page.getByRole('region', { name: 'Who can be asked' }).getByRole('row').first().waitFor(),
      ],
      ['/find?q=lock', (page) => page.locator('.found-entry').first().waitFor()],
      ['/find?q=nothingofthekind'],
    ]
    return { where }
  })

  const enter = async (page: Page, [path, open]: View): Promise<void> => {
    await goTo(page, path)
    await page.waitForSelector('main h1')
    await page.waitForSelector('.loading', { state: 'detached' })
    await open?.(page)
  }

  /** Which of two schemes is shown can only matter for contrast: the elements are the same. */
  const violations = async (page: Page, rules: readonly string[] = []): Promise<readonly string[]> => {
    const axe = new AxeBuilder({ page })
    const { violations: found } = await (rules.length > 0 ? axe.withRules([...rules]) : axe).analyze()
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }

  it('APP-3 have nothing that axe objects to, in light and in dark, dialogs included', async () => {
    const { page, visit } = walk
    const found: string[] = []
    for (const view of views) {
      await page.emulateMedia({ colorScheme: 'light' })
      await enter(page, view)
      found.push(...(await violations(page)).map((one) => `${view[0]} ${one}`))
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await violations(page, ['color-contrast'])).map((one) => `${view[0]}, dark ${one}`))
    }
    expect(found).toEqual([])
    const inBoth = async (): Promise<void> => {
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await violations(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page, ['color-contrast'])).toEqual([])
      await page.keyboard.press('Escape')
    }
    await enter(page, ['/inbox', (one) => one.getByRole('button', { name: 'Approve…' }).click()])
    await page.locator('dialog.confirm[open]').waitFor()
    await inBoth()
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor()
    await inBoth()
    expect(visit.incidents).toEqual([])
    // What someone sees who is not let in.
    const outside = await walk.browser.newContext()
    const refused = await outside.newPage()
    await refused.goto(walk.console.origin)
    expect(await violations(refused)).toEqual([])
    await outside.close()
  })

  it('APP-3 fit every screen from 390 to 2,560 pixels, and keep lines readable on the widest', async () => {
    const { page } = walk
    const wide = `(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      const main = document.querySelector('main')
      return [scrollWidth - clientWidth, main.offsetParent ? main.scrollWidth - main.clientWidth : 0]
    })()`
    for (const view of views) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await enter(page, view)
      for (const width of [390, 768, 1280, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        expect([view[0], width, await page.evaluate(wide)]).toEqual([view[0], width, [0, 0]])
        // What is too wide for a narrow screen scrolls, and the keyboard reaches it; no heading is lost there.
        if (width === 390) expect([view[0], await violations(page, NARROW)]).toEqual([view[0], []])
      }
      // A paragraph across a wall of a screen cannot be read.
      const longest = await page.evaluate(
        `Math.max(0, ...[...document.querySelectorAll('main p')].map((one) => one.getBoundingClientRect().width))`,
      )
      expect([view[0], Number(longest) <= 1_400]).toEqual([view[0], true])
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('APP-3 move nothing for those who asked for no motion', async () => {
    const { page } = walk
    const moving = async (): Promise<number> => {
      await page.evaluate(`(() => {
        const cell = document.createElement('div')
        cell.className = 'cell-thinking probe'
        cell.append(Object.assign(document.createElement('p'), { className: 'cell-head', textContent: 'x' }))
        document.querySelector('main').append(cell)
      })()`)
      const running = await page.evaluate('document.getAnimations().length')
      await page.evaluate(`document.querySelector('.probe').remove()`)
      return Number(running)
    }
    await enter(page, ['/'])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await moving()).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const view of views) {
      await enter(page, view)
      expect([view[0], await moving()]).toEqual([view[0], 0])
    }
    expect(await page.evaluate(`getComputedStyle(document.documentElement).scrollBehavior`)).toBe('auto')
  })
})
