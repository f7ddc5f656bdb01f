// The console in a real browser: what it shows equals what the command prints, run as a process of its own; nothing that a
// trace says is run; and neither a page of another port nor a name that points here gets anything.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { withHome } from '../../src/app/home/home.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import { forJson } from '../../src/ledger/text/neutral.ts'
import { directory, witan } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import { goTo, startConsole } from '../support/console.ts'
import { inBrowser, sizeOf, walkConsole } from '../support/console-walk.ts'
import { unpackHome } from '../support/frozen.ts'
import { openSilentProxy } from '../support/silent-proxy.ts'

interface Golden {
  readonly trace: string
  readonly protocol: string
}

/** What says what a trace came to. A session that is over is only read by it. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'council/1': ['report'],
  'agents/1': ['resume'],
  'exchange/1': ['exchange', 'status'],
}

const commandFor = ({ trace, protocol }: Golden): readonly string[] => [
  ...(COMMANDS[protocol] ?? []),
  trace,
  '--json',
]

/** As the command prints what the page has laid out for reading. */
const printed = (text: string | null): string => `${forJson(JSON.stringify(JSON.parse(text ?? '')))}\n`

interface ShownTrace {
  readonly size: number
  readonly head: string
  readonly events: readonly {
    readonly header: object
    readonly payload: object | null
    readonly hash: string
    readonly signature: string
  }[]
}

inBrowser('the page', () => {
  let home: string
  let traces: readonly Golden[]
  const walk = walkConsole(async () => {
    const cwd = await directory()
    home = await unpackHome(cwd)
    traces = await withHome({ directory: home, mode: 'read' }, ({ store }) => store.traces())
    return { where: { home, cwd } }
  })

  /** One of each protocol. */
  const golden = (): readonly Golden[] => {
    const each = new Map(
      traces.filter(({ protocol }) => protocol in COMMANDS).map((one) => [one.protocol, one]),
    )
    expect([...each.keys()].sort()).toEqual(['agents/1', 'council/1', 'exchange/1'])
    return [...each.values()]
  }

  const resultOf = async (page: Page, trace: string): Promise<string> => {
    await goTo(page, `/t/${trace}/result`)
    const size = await sizeOf(walk.where, trace)
    const result = page.locator(`article[data-folded="${trace}/${size}"] [data-result]`)
    await result.waitFor()
    return printed(await result.textContent())
  }

  it('folds golden traces of all three protocols to the bytes that the command prints as a process of its own', async () => {
    const { page, visit, where } = walk
    for (const one of golden()) {
      const { stdout, stderr } = await witan(where, ...commandFor(one))
      expect([one.protocol, stderr, await resultOf(page, one.trace)]).toEqual([one.protocol, '', stdout])
    }
    expect(visit.incidents).toEqual([])
  })

  it('folds every other golden trace to the same value as the command', async () => {
    const { page, visit, where } = walk
    const others = traces.filter((one) => one.protocol in COMMANDS && !golden().includes(one))
    for (const one of others) {
      const said = await here(where, ...commandFor(one))
      // A session that is not over is resumed by this command, so it is not asked there.
      if (said.code === 0) expect(await resultOf(page, one.trace)).toBe(said.stdout)
    }
    expect(visit.incidents).toEqual([])
  })

  it('shows every event of them as `witan show --json` prints it: header, content, hash and signature', async () => {
    const { page, visit, where } = walk
    for (const { trace } of golden()) {
      const shown = (await witan(where, 'show', trace, '--json')).json as object as ShownTrace
      expect(shown.events).toHaveLength(shown.size)
      for (const [seq, { header, payload, hash, signature }] of shown.events.entries()) {
        await goTo(page, `/t/${trace}/events/${seq}`)
        const detail = page.getByRole('region', { name: `Event ${seq}`, exact: true })
        await detail.waitFor()
        const raw = detail.locator('details').last()
        await raw.evaluate('(one) => { one.open = true }' as never)
        const more = raw.getByRole('button', { name: /more characters$/ })
        while ((await more.count()) > 0) await more.first().click()
        const [head = '', content] = await raw.locator('.long').allTextContents()
        expect([trace, seq, head]).toEqual([trace, seq, canonicalize(header)])
        if (payload === null) await raw.getByText('erased', { exact: true }).first().waitFor()
        else expect([trace, seq, content]).toEqual([trace, seq, canonicalize(payload)])
        const ids = await detail.locator('code.id').allTextContents()
        expect(ids).toContain(hash)
        expect(ids).toContain(signature)
      }
    }
    expect(visit.incidents).toEqual([])
  })

  it('VER-7 verifies in the browser to the report that `witan verify --json` prints, byte for byte', async () => {
    const { page, visit, where } = walk
    const registry = traces.filter(({ protocol }) => protocol.startsWith('registry/')).slice(0, 1)
    for (const { trace } of [...golden(), ...registry]) {
      const { stdout } = await witan(where, 'verify', trace, '--json')
      await goTo(page, `/t/${trace}/verify`)
      await page.locator('.verdict[data-status]').waitFor()
      const digest = await page.locator('[data-digest]').textContent()
      const report = JSON.parse((await page.locator('[data-report]').textContent()) ?? '') as object
      expect(printed(JSON.stringify({ ...report, digest }))).toBe(stdout)
    }
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

  const counts = async (): Promise<Readonly<Record<string, number>>> => {
    const { refused } = (await walk.page.evaluate(`fetch('/api/access').then((one) => one.json())`)) as {
      refused: readonly { readonly kind: string; readonly count: number }[]
    }
    return Object.fromEntries(refused.map(({ kind, count }) => [kind, count]))
  }

  /** Everything that a page can send elsewhere, with what its browser has for that place. */
  const attempts = (to: string, link: string): string => `(async () => {
    const got = []
    const tried = async (what, work) => { try { got.push([what, await work()]) } catch { got.push([what, null]) } }
    const loaded = (tag, source) => new Promise((resolve, reject) => {
      const one = Object.assign(document.createElement(tag), { onload: resolve, onerror: reject })
      one[tag === 'link' ? 'href' : 'src'] = source
      if (tag === 'link') one.rel = 'stylesheet'
      document.body.append(one)
    })
    const sent = { credentials: 'include' }
    await tried('read', async () => (await fetch('${to}/api/me', sent)).text())
    await tried('read unseen', async () => (await fetch('${to}/api/me', { ...sent, mode: 'no-cors' })).text())
    await tried('act', async () => (await fetch('${to}/api/acts/prepare', { ...sent, method: 'POST', body: '{}',
      headers: { 'content-type': 'application/json', 'x-witan': '1' } })).text())
    await tried('act unseen', async () => (await fetch('${to}/api/acts/prepare', { ...sent, method: 'POST', body: '{}',
      mode: 'no-cors' })).text())
    await tried('image', () => loaded('img', '${to}/a/main.css').then(() => 'loaded'))
    await tried('script', () => loaded('script', '${to}/a/main.js').then(() => 'loaded'))
    await tried('style', () => loaded('link', '${to}/a/main.css').then(() => 'loaded'))
    await tried('stream', () => new Promise((resolve, reject) => {
      const source = new EventSource('${to}/api/stream', { withCredentials: true })
      source.onmessage = () => resolve('heard')
      source.onerror = () => { source.close(); reject() }
    }))
    await tried('socket', () => new Promise((resolve, reject) => {
      const socket = new WebSocket('${to.replace('http', 'ws')}/api/stream')
      socket.onopen = () => resolve('open')
      socket.onerror = reject
    }))
    await tried('link', async () => (await fetch('${link}', { ...sent, mode: 'no-cors' })).text())
    return got.filter(([, answer]) => answer !== null && answer !== '')
  })()`

  it('APP-8 gives nothing to a page of another port, also under its own name, and counts each try', async () => {
    const { page, visit, console } = walk
    const other = createServer((_, answer) =>
      answer.setHeader('content-type', 'text/html').end('<p>hello</p>'),
    )
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const name = console.host.split(':')[0] ?? ''
    const { link } = await startConsole(home)
    const stranger = await visit.context.newPage()
    try {
      for (const host of [name, 'localhost', '127.0.0.1']) {
        const before = await counts()
        await stranger.goto(`http://${host}:${port}/`)
        expect([host, await stranger.evaluate(attempts(console.origin, link))]).toEqual([host, []])
        const after = await counts()
        const more = (kind: string): number => (after[kind] ?? 0) - (before[kind] ?? 0)
        // Ten tries; the browser itself asks first before one of them.
        expect([host, more('origin') + more('site') + more('method')]).toEqual([host, 10])
        expect([host, more('session'), more('link'), more('form')]).toEqual([host, 0, 0, 0])
      }
      // What they tried with the link did not use it up, and the one who follows it from their page is not let in by that.
      const before = await counts()
      const [answer] = await Promise.all([
        stranger.waitForResponse((one) => one.url() === link),
        // The page that is being left counts as loaded: wait until the browser is at the new address.
        stranger.waitForURL(link),
        stranger.evaluate(`location.href = '${link}'`),
      ])
      expect(answer.status()).toBe(403)
      expect((await counts()).site).toBe((before.site ?? 0) + 1)
      expect((await stranger.goto(link))?.status()).toBe(200)
    } finally {
      await stranger.close()
      other.close()
      other.closeAllConnections()
    }
    await page.locator('.sidebar').waitFor()
  })

  it('APP-8 does not answer to a name that was pointed here (DNS rebinding), and counts it', async () => {
    const { browser, console } = walk
    const proxy = await openSilentProxy()
    const context = await browser.newContext({ proxy: proxy.settings })
    try {
      const before = await counts()
      const page = await context.newPage()
      // As the browser sees it, the console now is a server of this name, and its page may read all that it answers.
      const answer = await page.goto(`http://evil.example:${console.port}/`)
      expect(answer?.status()).toBe(421)
      const read = await page.evaluate(`fetch('/api/me').then(async (one) => [one.status, await one.text()])`)
      expect(read).toEqual([421, expect.not.stringContaining(home)])
      // A browser that hears 421 asks once more.
      expect((await counts()).host).toBe((before.host ?? 0) + 4)
    } finally {
      await context.close()
      await proxy.close()
    }
  })
})
