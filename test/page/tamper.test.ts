// When any region of a bundle is changed, the page fails, and for the same reasons in the same words as the command
// does on the same bytes.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { PageProgram } from '../../src/app/verification-page.ts'
import { extract } from '../../src/clerk/extract.ts'
import type { Bundle, Section } from '../../src/ledger/bundle/bundle.ts'
import type { SealedEvent } from '../../src/ledger/event.ts'
import { reportDigest } from '../../src/ledger/verify/report.ts'
import type { ArtifactSource } from '../../src/stores/bundle-file.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { openBrowser } from '../support/browser.ts'
import { completeErrand } from '../support/errand-run.ts'
import { errandProgram, pageOf, pin, reportOf, titleOf, visit } from '../support/page.ts'
import { openPorts } from '../support/ports.ts'
import { checkFile, toFile } from '../support/verification.ts'

const absent = inject('chromiumPath') === null
const title = absent ? 'a tampered page (skipped: no Chromium)' : 'a tampered page'

const replaced = (bytes: Uint8Array | null, from: string, to: string): Uint8Array => {
  const text = Buffer.from(bytes ?? []).toString('utf8')
  if (!text.includes(from)) throw new Error(`there is no ${from} to tamper with`)
  return Buffer.from(text.replace(from, to))
}

const changed = (
  section: Section,
  at: number,
  change: (event: SealedEvent) => Partial<SealedEvent>,
): Section => ({
  ...section,
  events: section.events.map((carried, i) =>
    i === at ? { ...carried, event: { ...carried.event, ...change(carried.event) } } : carried,
  ),
})

const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

const inMain = (
  bundle: Bundle,
  at: number,
  change: (event: SealedEvent) => Partial<SealedEvent>,
): Bundle => ({
  ...bundle,
  main: changed(bundle.main, at, change),
})

const altering = (source: ArtifactSource): ArtifactSource => ({
  statArtifact: (hash) => source.statArtifact(hash),
  async openArtifact(hash) {
    const bytes = await source.openArtifact(hash)
    return (
      bytes &&
      (async function* () {
        for await (const chunk of bytes) yield flipped(chunk, 0)
      })()
    )
  },
})

const empty: ArtifactSource = { statArtifact: async () => null, openArtifact: async () => null }

interface Tampering {
  readonly region: string
  readonly code: string
  readonly bundle?: (bundle: Bundle) => Bundle
  readonly source?: (source: ArtifactSource) => ArtifactSource
}

const TAMPERINGS: readonly Tampering[] = [
  {
    region: 'header',
    code: 'HASH_MISMATCH',
    bundle: (b) => inMain(b, 4, (e) => ({ header: replaced(e.header, 'answer_given', 'answer_taken') })),
  },
  {
    region: 'form of a header',
    code: 'SCHEMA_INVALID',
    bundle: (b) => inMain(b, 4, (e) => ({ header: replaced(e.header, '"v":1', '"v":2') })),
  },
  {
    region: 'event hash',
    code: 'HASH_MISMATCH',
    bundle: (b) => inMain(b, 4, () => ({ hash: 'a'.repeat(64) })),
  },
  {
    region: 'payload',
    code: 'PAYLOAD_HASH_MISMATCH',
    bundle: (b) => inMain(b, 4, (e) => ({ payload: replaced(e.payload, 'answer of', 'answer by') })),
  },
  {
    region: 'payload, taken out,',
    code: 'PAYLOAD_MISSING',
    bundle: (b) => inMain(b, 4, () => ({ payload: null, salt: null })),
  },
  {
    region: 'signature',
    code: 'SIG_INVALID',
    bundle: (b) => inMain(b, 4, (e) => ({ signature: flipped(e.signature, 63) })),
  },
  {
    region: 'signature, taken out,',
    code: 'SIG_MISSING',
    bundle: (b) => inMain(b, 4, () => ({ signature: new Uint8Array() })),
  },
  {
    region: 'order of events',
    code: 'CHAIN_BREAK',
    bundle: (b) => ({ ...b, main: { ...b.main, events: b.main.events.toSpliced(5, 1) } }),
  },
  { region: 'artifact', code: 'ARTIFACT_HASH_MISMATCH', source: altering },
  { region: 'artifact, taken out,', code: 'ARTIFACT_MISSING', source: () => empty },
  {
    region: 'checkpoint',
    code: 'CHECKPOINT_INCONSISTENT',
    bundle: (b) => ({
      ...b,
      main: {
        ...b.main,
        checkpoint: (b.main.checkpoint ?? '').replace(/\n(\d+)\n/, (_, n) => `\n${n - 1}\n`),
      },
    }),
  },
  {
    region: 'key',
    code: 'KEY_UNKNOWN',
    bundle: (b) => ({
      ...b,
      registry: changed(b.registry, 3, (e) => ({
        payload: replaced(e.payload, '"public_key":"', '"public_key":"00').subarray(0, -2),
      })),
    }),
  },
  {
    region: 'registry position',
    code: 'KEY_UNKNOWN',
    bundle: (b) => ({
      ...b,
      registry: {
        ...b.registry,
        positions: b.registry.positions.map((p) => ({ ...p, hash: 'a'.repeat(64) })),
      },
    }),
  },
]

describe.skipIf(absent)(title, () => {
  const store = new MemoryStore()
  let browser: Browser
  let program: PageProgram
  let bundle: Bundle
  let pinned: string

  beforeAll(async () => {
    browser = await openBrowser()
    program = await errandProgram()
    const { ports, registrar } = await openPorts(store)
    const log = await completeErrand(ports, registrar)
    bundle = await extract({ store, registrar, sha256 }, log.trace)
    pinned = ports.key('registrar').id
  })
  afterAll(() => browser?.close())

  it.each(TAMPERINGS)(
    'VER-7 VER-5 fails on another $region with $code, as the command does',
    async (tampering) => {
      const altered = tampering.bundle?.(bundle) ?? bundle
      const source = tampering.source?.(store) ?? store
      const node = await checkFile(await toFile(altered, source), { keys: [pinned], checkpoints: [] })
      const { page, incidents, close } = await visit(browser, await pageOf(program, altered, source))
      await pin(page, pinned)
      expect(await titleOf(page)).toBe('FAILED')
      const found = await reportOf(page)
      expect(found.report).toEqual(node)
      expect(found.digest).toBe(reportDigest(sha256, node))
      const failure = node.failures.find(({ code }) => code === tampering.code)
      expect(failure, node.failures.map(({ code }) => code).join()).toBeDefined()
      const shown = (await page.locator('.findings').textContent()) ?? ''
      expect(shown).toContain(tampering.code)
      expect(shown).toContain(failure?.suggested_action)
      expect(incidents).toEqual([])
      await close()
    },
  )

  it('VER-7 leads from a finding to its event', async () => {
    const altered = inMain(bundle, 4, (e) => ({ signature: flipped(e.signature, 63) }))
    const { page, close } = await visit(browser, await pageOf(program, altered, store))
    await page.getByRole('button', { name: 'event 4' }).click()
    const row = page.locator('details.event.fail')
    await expect.poll(() => row.getAttribute('open')).not.toBeNull()
    expect(await row.locator('> summary').textContent()).toContain('SIG_INVALID')
    await expect.poll(() => row.locator('> summary').evaluate((e) => e.matches(':focus'))).toBe(true)
    await close()
  })

  it('VER-7 believes no data that is not exactly as it was written', async () => {
    const html = await pageOf(program, bundle, store)
    const artifact =
      /<script type="application\/json" data-witan="artifact">.*<\/script>\n/.exec(html)?.[0] ?? ''
    const swaps: [string, string, string][] = [
      ['another spelling of a line', '{\\"content\\":\\"full\\"', '{ \\"content\\":\\"full\\"'],
      ['base64 that is not canonical', '="}', '"}'],
      ['an artifact too few', artifact, ''],
      ['an artifact twice', artifact, artifact + artifact],
      ['a line of another kind', '[', '["{\\"witan\\":\\"bundle/9\\"}",'],
      ['no JSON', 'data-witan="bundle">[', 'data-witan="bundle">[['],
      ['no end', 'data-witan="end"', 'data-witan="middle"'],
    ]
    for (const [what, from, to] of swaps) {
      expect(from, what).not.toBe('')
      const at = html.indexOf(from, html.indexOf('<script type='))
      expect(at, what).toBeGreaterThan(0)
      const { page, close } = await visit(browser, html.slice(0, at) + to + html.slice(at + from.length))
      expect(await titleOf(page), what).toBe('FAILED')
      expect(await page.locator('#verdict').textContent(), what).toMatch(/BUNDLE_(INVALID|TRUNCATED|FOREIGN)/)
      expect(await page.locator('.results').count(), what).toBe(0)
      await close()
    }
  })

  it('VER-7 claims nothing when the file was cut off or its script does not run', async () => {
    const html = await pageOf(program, bundle, store)
    const cut = await visit(browser, html.slice(0, html.indexOf('data-witan="end"')), { unsettled: true })
    expect(await titleOf(cut.page)).toBe('Not checked yet')
    await cut.close()
    const still = await visit(browser, html, { unsettled: true, javaScriptEnabled: false })
    expect(await titleOf(still.page)).toBe('Not checked yet')
    await still.close()
  })
})
