// A session of agents walked in a real browser: what waits is decided by keyboard and by mouse, several at once where they are
// alike, and the finished session is looked at as tree, graph and timeline, down to the quoted words.

import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { personName } from '../../src/app/home/signers.ts'
import { setPassphrase } from '../../src/app/keys/passphrase.ts'
import { here } from '../doors/here.ts'
import { goTo, signShown, tabTo } from '../support/console.ts'
import { freshHome, inBrowser, type Place, sizeOf, walkConsole } from '../support/console-walk.ts'
import { projectRoot } from '../support/sources.ts'

const task = (objective: string): string => `objective: ${objective}
workspace: ./vendor
policy: strict
roles: {critic: [policy, human]}
tools: [files.read, files.write]
proposals:
  - objective: Read the licence, then write a note
    expected_evidence: [licence text]
    steps:
      - {id: read, tool: files.read, input: {path: alpha/LICENSE}, justification: licence of alpha}
      - {id: write, tool: files.write, input: {path: NOTE.md, content: "alpha is MIT\\n${'and so on '.repeat(60)}to its end"}, justification: the note}
    claims:
      - {text: alpha is MIT, confidence: high, evidence: [{step: read, quote: MIT License}]}
  - objective: Read it again
    expected_evidence: [licence text]
    steps:
      - {id: again, tool: files.read, input: {path: alpha/LICENSE}, justification: once more}
    claims:
      - {text: alpha has a licence, confidence: high, evidence: [{step: again, quote: MIT License}]}
      - {text: alpha is short, confidence: low, evidence: [{step: again, quote: MIT License}]}
`

inBrowser('agents in the console', () => {
  let trace: string
  let second: string
  let third: string

  const begin = async (where: Place, objective: string): Promise<string> => {
    const file = `${objective.replaceAll(' ', '-')}.yaml`
    await writeFile(join(where.cwd, file), task(objective))
    const run = await here(where, 'agents', 'run', file, '--yes', '--json')
    expect(run.code).toBe(8)
    return (run.json as { trace: string }).trace
  }

  const walk = walkConsole(async () => {
    const where = await freshHome()
    await cp(join(projectRoot, 'examples/agents/vendor'), join(where.cwd, 'vendor'), { recursive: true })
    await here(where, 'keys', 'add', personName(), '--role', 'critic')
    trace = await begin(where, 'Write the note')
    second = await begin(where, 'Write it once more')
    third = await begin(where, 'Write under conditions')
    return { where }
  })

  const waiting = (subject: RegExp) => walk.page.locator('.inbox-entry').filter({ hasText: subject })

  it('APP-3 decides several at once only where they are alike, with each in full and each event before signing', async () => {
    const { page, visit } = walk
    await page.locator('main').focus()
    await page.keyboard.press('i')
    await waiting(/A proposal.*Write it once more/s)
      .nth(1)
      .waitFor()
    const boxes = page.getByRole('checkbox', { name: /together with others/ })
    expect(await boxes.count()).toBe(6)
    const mine = page.locator('.inbox-item').filter({ hasText: 'Write the note' }).getByRole('checkbox')
    const theirs = page.locator('.inbox-item').filter({ hasText: 'Write it once more' }).getByRole('checkbox')
    await mine.nth(0).check()
    await theirs.nth(0).check()
    await page.getByText('These are not alike').waitFor()
    await theirs.nth(0).uncheck()
    await tabTo(page, mine.nth(1))
    await page.keyboard.press('Space')
    const together = page.getByRole('region', { name: '2 decisions together' })
    await together.getByText('The plan: Read the licence, then write a note').waitFor()
    await together.getByText('The plan: Read it again').waitFor()
    // What is approved is shown to its end, no matter how long it is.
    await together.getByText('and so on to its end').waitFor()
    await together.getByRole('button', { name: 'Approve all 2…' }).click()
    const dialog = page.locator('dialog.confirm[open]')
    await dialog.waitFor()
    expect(await dialog.locator('.to-sign').count()).toBe(2)
    const shown = await signShown(page, 'keyboard')
    expect(shown.match(/proposal_reviewed/g)?.length).toBeGreaterThanOrEqual(2)
    expect(shown).toContain('"via": "console"')
    await waiting(/Write the note/)
      .first()
      .waitFor({ state: 'detached' })
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 approves the exact call and challenges a claim by the keyboard, resumes from the page, and proves the other claims', async () => {
    const { page, visit, where } = walk
    await goTo(page, `/t/${trace}`)
    const resume = page.getByRole('button', { name: 'Resume it here' })
    await tabTo(page, resume)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Decide what waits' }).click()
    await waiting(/A call.*files\.write/s)
      .first()
      .waitFor()
    for (let pressed = 0; pressed < 4; pressed++) {
      if (((await page.locator('.inbox-entry[aria-current]').textContent()) ?? '').includes('files.write'))
        break
      await page.keyboard.press('j')
    }
    await page.locator('.diff').getByText('+alpha is MIT').waitFor()
    const decision = page.getByRole('region', { name: /^Decision on/ })
    for (const name of ['Risk', 'The rule that asks', 'Why it is wanted', 'Proof wanted', 'Task'])
      expect(await decision.locator('dt').getByText(name, { exact: true }).count()).toBe(1)
    await decision.getByText(/Given now, it expires in 1[45] min \((?:[^()]+ )?\d\d:\d\d:\d\d\)/).waitFor()
    await decision.getByRole('button', { name: 'Show content' }).click()
    await decision.getByText('These bytes have the hash that the event names.').waitFor()
    expect(await decision.locator('.artifact').textContent()).toContain('"name":"files.write"')
    await page.keyboard.press('a')
    expect(await signShown(page, 'keyboard')).toContain('intent_approved')
    await goTo(page, `/t/${trace}`)
    await resume.click()
    await page.getByText('accepted by policy').nth(1).waitFor()
    // One claim is challenged where it stands, by the keyboard; the others are accepted together, from the inbox.
    const doubted = page.locator('.claim').filter({ hasText: 'alpha is short' })
    await tabTo(page, doubted.locator('summary', { hasText: 'Challenge' }))
    await page.keyboard.press('Enter')
    await tabTo(page, doubted.getByLabel('Its evidence'))
    await page.keyboard.type('contradicts')
    await tabTo(page, doubted.getByLabel('Reason (recorded permanently)'))
    await page.keyboard.type('a licence says nothing of length')
    await tabTo(page, doubted.getByRole('button', { name: 'Challenge…' }))
    await page.keyboard.press('Enter')
    const signed = await signShown(page, 'keyboard')
    expect(signed).toContain('claim_challenged')
    expect(signed).toContain('"ground": "contradicted"')
    expect(signed).toContain('Challenge p2-c2')
    await doubted.getByText('challenges it as contradicted: a licence says nothing of length').waitFor()
    await goTo(page, '/inbox')
    const claims = page
      .locator('.inbox-item')
      .filter({ hasText: /A claim.*Write the note/s })
      .getByRole('checkbox')
    await claims.nth(1).waitFor()
    // Where one decides on a claim, its quote opens at its place too.
    await waiting(/A claim.*alpha is MIT.*Write the note/s).click()
    await tabTo(page, decision.getByRole('button', { name: '“MIT License”' }))
    await page.keyboard.press('Enter')
    expect(await decision.locator('.quote mark').textContent()).toBe('MIT License')
    await claims.nth(0).check()
    await claims.nth(1).check()
    await page.getByRole('button', { name: 'Accept all 2…' }).click()
    expect((await signShown(page)).match(/claim_accepted/g)?.length).toBeGreaterThanOrEqual(2)
    await goTo(page, `/t/${trace}`)
    await resume.click()
    await page.getByText('Final statement: 2 claims proven').waitFor()
    expect((await here(where, 'verify', trace, '--json')).json).toMatchObject({ failures: [] })
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 shows a session as tree, graph and timeline, and opens a quote at its place in the artifact', async () => {
    const { page, visit } = walk
    await goTo(page, `/t/${trace}`)
    await page.getByRole('button', { name: '“MIT License”' }).first().click()
    expect(await page.locator('.quote mark').textContent()).toBe('MIT License')
    await tabTo(page, page.getByRole('button', { name: 'graph' }))
    await page.keyboard.press('Enter')
    const claim = page.locator('.node', { hasText: 'alpha is MIT' }).last()
    await claim.click()
    expect(await claim.getAttribute('aria-pressed')).toBe('true')
    // What it rests on stays plain; what it does not rest on turns pale.
    expect(await page.locator('.node.pale', { hasText: 'files.write' }).count()).toBeGreaterThan(0)
    expect(await page.locator('.node:not(.pale)', { hasText: 'files.read' }).count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'timeline' }).click()
    expect(await page.locator('.timeline li').count()).toBeGreaterThan(8)
    await page.locator('.timeline a').first().click()
    await page.getByRole('region', { name: /^Event \d+/ }).waitFor()
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 approves on conditions by the keyboard, with the policy in full, rejects and blocks with a reason by the mouse, and aborts by the keyboard', async () => {
    const { page, visit, where } = walk
    await page.getByRole('link', { name: /^Inbox/ }).click()
    const mine = waiting(/A proposal.*Write under conditions/s)
    const decision = page.getByRole('region', { name: /^Decision on/ })
    // On a narrow screen the decision is below the list: what is chosen there is brought into sight.
    await page.setViewportSize({ width: 390, height: 700 })
    await mine.nth(0).click()
    await decision.getByText('The plan: Read the licence, then write a note').waitFor()
    await expect.poll(async () => (await decision.boundingBox())?.y ?? 9_999).toBeLessThan(100)
    await page.setViewportSize({ width: 1280, height: 800 })
    await tabTo(page, decision.locator('summary', { hasText: 'What it says' }))
    await page.keyboard.press('Enter')
    await decision.getByText('strict, of the', { exact: false }).waitFor()
    const policy = await readFile(join(projectRoot, 'src/tools/policy/profiles/strict.cedar'), 'utf8')
    const more = decision.getByRole('button', { name: /more characters$/ })
    while ((await more.count()) > 0) await more.first().click()
    expect(await decision.locator('.mono').allTextContents()).toContain(policy)
    await tabTo(page, decision.getByLabel('On condition: calls of at most this risk'))
    await page.keyboard.type('high')
    await tabTo(page, decision.getByRole('button', { name: 'Approve on conditions…' }))
    await page.keyboard.press('Enter')
    const conditional = await signShown(page, 'keyboard')
    expect(conditional).toContain('"max_risk": "high"')
    expect(conditional).toMatch(/What is shown expires in (2 min|1 min|\d+ s) \((?:[^()]+ )?\d\d:\d\d:\d\d\)/)
    await mine.nth(1).waitFor({ state: 'detached' })
    await mine.nth(0).click()
    await decision.getByText('The plan: Read it again').waitFor()
    await decision.getByRole('button', { name: 'Reject…' }).click()
    await page.getByText('Say why: the reason is recorded').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('reason')
    await decision.getByLabel('Reason (recorded permanently)').fill('once is enough')
    await decision.getByRole('button', { name: 'Reject…' }).click()
    expect(await signShown(page)).toContain('once is enough')
    await goTo(page, `/t/${third}`)
    await page.getByRole('button', { name: 'Resume it here' }).click()
    await page.getByRole('link', { name: 'Decide what waits' }).click()
    await waiting(/A call.*files\.write.*Write under conditions/s).click()
    await decision.getByLabel('Reason (recorded permanently)').fill('no notes in there')
    await decision.getByRole('button', { name: 'Block…' }).click()
    const blocked = await signShown(page)
    expect(blocked).toContain('intent_blocked')
    expect(blocked).toContain('no notes in there')
    const events = (await here(where, 'show', third, '--json')).json as unknown as {
      events: readonly { readonly header: { readonly type: string }; readonly payload: object }[]
    }
    const by = (type: string) => events.events.filter(({ header }) => header.type === type)
    expect(by('proposal_reviewed').map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ conditions: { max_risk: 'high' }, via: 'console' }),
    )
    expect(by('intent_blocked').map(({ payload }) => payload)).toMatchObject([{ via: 'console' }])
    await goTo(page, `/t/${third}`)
    await tabTo(page, page.getByLabel('End it before its time, because'))
    await page.keyboard.type('no more of it')
    await tabTo(page, page.getByRole('button', { name: 'Abort…' }))
    await page.keyboard.press('Enter')
    expect(await signShown(page, 'keyboard')).toContain('no more of it')
    await page.locator('.facts').getByText('aborted').waitFor()
    expect((await here(where, 'verify', third, '--json')).json).toMatchObject({ failures: [] })
    expect(visit.incidents).toEqual([])
  })

  it('APP-3 says of a session that cannot be read that it is not shown', async () => {
    const { page, visit } = walk
    await page.route('**/api/inbox', (route) =>
      route.fulfill({ json: { decisions: [], unread: ['01J00000000000000000000000: damaged at event 3'] } }),
    )
    await goTo(page, '/')
    await goTo(page, '/inbox')
    await page.getByText('what waits there is not shown: 01J00000000000000000000000').waitFor()
    await page.unroute('**/api/inbox')
    await goTo(page, '/')
    expect(visit.incidents).toEqual([])
  })

  it('APP-8 lets the first of two browsers count and tells the second, and aborts on record', async () => {
    const { page, visit, where } = walk
    const other = await walk.visitAgain()
    for (const one of [page, other.page]) {
      await goTo(one, '/inbox')
      await one.locator('.inbox-entry').filter({ hasText: 'Write it once more' }).first().click()
      // Only the reading of it.
      if (one === page)
        await one.getByRole('group', { name: 'Only these steps' }).getByLabel('write').uncheck()
      await one.getByRole('button', { name: /^Approve/ }).click()
      await one.locator('dialog.confirm[open]').waitFor()
    }
    expect(JSON.parse(/\{[^{]*"conditions": (\{[^}]*\})/.exec(await signShown(page))?.[1] ?? '')).toEqual({
      steps: ['read'],
    })
    await other.page.getByRole('button', { name: 'Sign it' }).click()
    await other.page.locator('.told-line .bad').waitFor()
    expect(await other.page.locator('.told-line').textContent()).toMatch(/moved on|no pending decision/)
    await other.context.close()
    await goTo(page, `/t/${second}`)
    await page.getByLabel('End it before its time, because').fill('enough')
    await page.getByRole('button', { name: 'Abort…' }).click()
    expect(await signShown(page)).toContain('session_aborted')
    await page.locator('.facts').getByText('aborted').waitFor()
    const events = (await here(where, 'show', second, '--json')).stdout
    // The policy reviewed both proposals, one person one of them, and the other browser's word is nowhere.
    expect(events.match(/proposal_reviewed/g)).toHaveLength(3)
    expect(visit.incidents).toEqual([])
  })

  it('AGT-X-2 asks for the passphrase of a locked key, stays after a wrong one, and records that it was given', async () => {
    const { page, visit, where } = walk
    const locked = await begin(where, 'Write it under lock')
    const passphrases = { ask: async () => '', choose: async () => 'correct horse' }
    await setPassphrase({ directory: where.home, postgres: null }, personName(), { passphrases })
    await goTo(page, '/inbox')
    await waiting(/A proposal.*Write it under lock/s)
      .first()
      .click()
    await page.getByRole('button', { name: 'Approve…' }).click()
    const dialog = page.locator('dialog.confirm[open]')
    const size = await sizeOf(where, locked)
    const field = dialog.getByLabel(`Passphrase of ${personName()}`)
    await tabTo(page, field)
    await page.keyboard.type('wrong horse')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    expect(await sizeOf(where, locked)).toBe(size)
    await field.fill('correct horse')
    await dialog.getByRole('button', { name: 'Sign it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { events } = (await here(where, 'show', locked, '--json')).json as unknown as {
      events: readonly {
        readonly header: { readonly type: string }
        readonly payload: { readonly via?: string }
      }[]
    }
    const reviews = events.filter(({ header }) => header.type === 'proposal_reviewed')
    expect(reviews.map(({ payload }) => payload.via)).toContain('passphrase')
    expect(JSON.stringify(events)).not.toContain('horse')
    // The wrong one was refused, and nothing else.
    expect(visit.incidents.splice(0)).toEqual([expect.stringContaining('status of 400')])
  })
})
