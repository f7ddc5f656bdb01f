// A walk through the console: one home, one server, one browser and one page for the tests of a suite, and what they leave
// behind is gone after them. Suites are skipped where there is no Chromium.

import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { withHome } from '../../src/app/home/home.ts'
import { directory, type Where } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import { openBrowser } from './browser.ts'
import { type ConsoleVisit, type RunningConsole, startConsole, visitConsole } from './console.ts'

export type Place = Where & { readonly cwd: string }

export interface Prepared {
  readonly where: Place
  readonly postgres?: string | null
  /** Undone after the suite. */
  readonly undo?: readonly (() => Promise<unknown>)[]
}

export interface Walk {
  readonly where: Place
  readonly browser: Browser
  console: RunningConsole
  readonly visit: ConsoleVisit
  readonly page: Page
  /** Another browser of the same person, let in by a link of its own. */
  visitAgain(options?: BrowserContextOptions): Promise<ConsoleVisit>
}

/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = Number(process.env.WALK_PATIENCE_MS ?? 90_000)

export function inBrowser(name: string, body: () => void): void {
  const absent = inject('chromiumPath') === null
  describe.skipIf(absent)(absent ? `${name} (skipped: no Chromium)` : name, body)
}

/** In a describe of its own: what is returned is there once its tests run. */
export function walkConsole(prepare: () => Promise<Prepared>): Walk {
  const walk = {
    async visitAgain(options: BrowserContextOptions = {}) {
      // A second console of one home gives a link into the first.
      const { link } = await startConsole(walk.where.home)
      return visitConsole(walk.browser, { ...walk.console, link }, options)
    },
  } as { -readonly [Name in keyof Walk]: Walk[Name] }
  let undo: Prepared['undo'] = []
  beforeAll(async () => {
    const [prepared, browser] = await Promise.all([prepare(), openBrowser()])
    undo = prepared.undo ?? []
    walk.where = prepared.where
    walk.browser = browser
    walk.console = await startConsole(prepared.where.home, { postgres: prepared.postgres ?? null })
    walk.visit = await visitConsole(browser, walk.console)
    walk.page = walk.visit.page
    walk.page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(async () => {
    await walk.browser?.close()
    await walk.console?.stop()
    for (const one of undo ?? []) await one()
  })
  return walk
}

/** A home as `witan init` makes it, without a process of its own. */
export async function freshHome(): Promise<Place> {
  const cwd = await directory()
  const where = { home: join(cwd, 'home'), cwd }
  const { code, stderr } = await here(where, 'init', '--name', 'tester')
  if (code !== 0) throw new Error(stderr)
  return where
}

/** The newest trace of a protocol. */
export async function traceOf({ home }: Where, protocol: string): Promise<string> {
  const all = await withHome({ directory: home, mode: 'read' }, ({ store }) => store.traces())
  const found = all.filter((one) => one.protocol.startsWith(`${protocol}/`)).map(({ trace }) => trace)
  const newest = found.sort().at(-1)
  expect(newest, `a trace of ${protocol}`).toBeDefined()
  return newest ?? ''
}

/** How many events a trace has. */
export const sizeOf = ({ home }: Where, trace: string): Promise<number> =>
  withHome({ directory: home, mode: 'read' }, async ({ store }) => (await store.hashes(trace)).length)

/** The trace that the page stands on. */
export const traceAt = (page: Page): string => /\/t\/([0-9A-Z]{26})/.exec(page.url())?.[1] ?? ''

/** Drops files onto the page, as by hand. */
export const dropFiles = (
  page: Page,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<unknown> => {
  const given = files.map(({ name, bytes }) => ({ name, content: Buffer.from(bytes).toString('base64') }))
  return page.evaluate(`(() => {
    const data = new DataTransfer()
    for (const { name, content } of ${JSON.stringify(given)})
      data.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name))
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  })()`)
}
