// A console for tests: the real server, in this process, on a home of the test's own; and a real browser in front of it.

import { request } from 'node:http'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { ServerTimeouts } from '../../src/app/console/serving.ts'
import { serve } from '../../src/doors/console/serve.ts'

export interface RunningConsole {
  readonly home: string
  /** The link that opens it, once. */
  readonly link: string
  readonly origin: string
  readonly host: string
  readonly port: number
  stop(): Promise<void>
}

export async function startConsole(
  home: string,
  options: {
    readonly isReadOnly?: boolean
    readonly port?: number | null
    readonly postgres?: string | null
    readonly patience?: ServerTimeouts
  } = {},
): Promise<RunningConsole> {
  const stop = new AbortController()
  let ended: Promise<void> = Promise.resolve()
  const link = await new Promise<string>((resolve, reject) => {
    ended = serve({
      home,
      postgres: options.postgres ?? null,
      config: null,
      version: 'test',
      port: options.port === undefined ? 0 : options.port,
      isReadOnly: options.isReadOnly ?? false,
      signal: stop.signal,
      ...(options.patience && { patience: options.patience }),
      ready: resolve,
    })
    ended.catch(reject)
  })
  const { origin, host, port } = new URL(link)
  return {
    home,
    link,
    origin,
    host,
    port: Number(port),
    async stop() {
      stop.abort()
      await ended
    },
  }
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** A request as anyone on this machine could send it, with headers of their choice. */
export function ask(
  { host, port }: Pick<RunningConsole, 'host' | 'port'>,
  path: string,
  options: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...options.headers }
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: options.method ?? 'GET',
      headers,
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    })
    sent.end(options.body)
  })
}

/** The cookie of a session, as a browser would keep it. */
export async function enter(console: RunningConsole): Promise<string> {
  const { headers } = await ask(console, new URL(console.link).pathname + new URL(console.link).search)
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

export interface ConsoleVisit {
  readonly page: Page
  readonly context: BrowserContext
  /** Everything that must not happen: requests elsewhere, script errors, breaches of the policy, dialogs. */
  readonly incidents: string[]
}

export async function visitConsole(
  browser: Browser,
  { link, origin }: RunningConsole,
  options: BrowserContextOptions = {},
): Promise<ConsoleVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const incidents: string[] = []
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI)
  })`)
  page.on('request', (sent) => {
    const { protocol, origin: to } = new URL(sent.url())
    if (to !== origin && protocol !== 'data:') incidents.push(`request: ${sent.url()}`)
  })
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') incidents.push(message.text())
  })
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(link)
  await page.waitForSelector('.sidebar')
  return { page, context, incidents }
}

const isFocused = (one: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean =>
  one.ownerDocument.activeElement === one

/** Presses Tab until this is focused, as someone without a mouse does, from where the link "Skip to content" leads. */
export async function tabTo(page: Page, wanted: Locator, most = 120): Promise<void> {
  await wanted.waitFor()
  if ((await page.locator('dialog[open]').count()) === 0) await page.locator('main').focus()
  for (let pressed = 0; pressed < most; pressed++) {
    if (await wanted.evaluate(isFocused as never)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${wanted}`)
}

/** What would be signed is shown; it is signed by the mouse or by the keyboard, and the page says so. */
export async function signShown(page: Page, by: 'mouse' | 'keyboard' = 'mouse'): Promise<string> {
  const dialog = page.locator('dialog.confirm[open]')
  await dialog.waitFor()
  const shown = (await dialog.textContent()) ?? ''
  const button = dialog.getByRole('button', { name: 'Sign it' })
  if (by === 'mouse') await button.click()
  else {
    await tabTo(page, button)
    await page.keyboard.press('Enter')
  }
  await dialog.waitFor({ state: 'hidden' })
  return shown
}

/** Follows a path inside the page, as a link does. */
export const goTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
