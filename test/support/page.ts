// Verification pages for tests, opened as a reader would: from a file, in a real Chromium that is offline. A
// request for anything but the file itself, an error in the page or a breach of its policy is kept and must be none.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { composePage, type PageProgram } from '../../src/app/verification-page.ts'
import { artifactsIn } from '../../src/clerk/extract.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import type { ArtifactSource } from '../../src/stores/bundle-file.ts'
import { projectRoot } from './sources.ts'

/** Bundles an entry as scripts/build.js does; paths in it are relative to the project. */
export async function bundleScript(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: projectRoot, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

async function programOf(script: string): Promise<PageProgram> {
  const styles = await build({
    entryPoints: [join(projectRoot, 'src/doors/page/page.css')],
    bundle: true,
    minify: true,
    write: false,
  })
  return { script, style: styles.outputFiles[0]?.text ?? '' }
}

/** The page's program, knowing the protocol of the tests. */
export const errandProgram = async (): Promise<PageProgram> =>
  programOf(
    await bundleScript(`
    import { start } from './src/doors/page/start.ts'
    import { errand } from './test/protocols/errand.ts'
    start([errand])`),
  )

/** The page's program as it is shipped. */
export const shippedProgram = async (): Promise<PageProgram> =>
  programOf(await bundleScript(`import './src/doors/page/page.ts'`))

export const LIMIT = 1 << 20

export const pageOf = (
  program: PageProgram,
  bundle: Bundle,
  source: ArtifactSource,
  artifactLimit = LIMIT,
): Promise<string> => composePage(program, bundle, artifactsIn(bundle), source, { artifactLimit })

export interface Visit {
  readonly page: Page
  /** Everything that must not happen: requests, script errors, breaches of the policy. */
  readonly incidents: string[]
  close(): Promise<void>
}

/** Opens the HTML as a file and waits until there is a verdict. `before` runs ahead of the page's own script. */
export async function visit(
  browser: Browser,
  html: string,
  options: BrowserContextOptions & { readonly before?: string; readonly unsettled?: true } = {},
): Promise<Visit> {
  const { before, unsettled, ...contextOptions } = options
  const folder = mkdtempSync(join(tmpdir(), 'witan-page-'))
  const file = join(folder, 'trace.html')
  writeFileSync(file, html)
  const context = await browser.newContext({ offline: true, ...contextOptions })
  const incidents: string[] = []
  const page = await context.newPage()
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI)
  })`)
  if (before !== undefined) await page.addInitScript(before)
  const url = pathToFileURL(file).href
  page.on('request', (request) => {
    if (request.url() !== url) incidents.push(`request: ${request.url()}`)
  })
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') incidents.push(message.text())
  })
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(url)
  if (!unsettled) await settled(page)
  return {
    page,
    incidents,
    async close() {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#verdict:not([data-tone=checking])', { timeout: 60_000 })
  await page.waitForSelector('.results[aria-busy]', { state: 'detached' })
}

export const titleOf = async (page: Page): Promise<string> =>
  (await page.locator('#verdict-title').textContent()) ?? ''

/** Opens a folded part; what it holds is made then. */
export async function unfold(details: Locator): Promise<void> {
  await details.locator('> summary').click()
  await details.locator('> .inside').waitFor()
}

/** Pins what is pasted and waits for the new verdict. */
export async function pin(page: Page, text: string): Promise<void> {
  await page.getByLabel('Registry key or checkpoint text').fill(text)
  await page.getByRole('button', { name: 'Check against it' }).click()
  await settled(page)
}

export async function reportOf(page: Page): Promise<{ report: Report; digest: string }> {
  const json = page.locator('details.json')
  if ((await json.getAttribute('open')) === null) await unfold(json)
  const report: Report = JSON.parse((await page.locator('pre.report').textContent()) ?? '')
  return { report, digest: (await page.locator('.report .rows code').textContent()) ?? '' }
}
