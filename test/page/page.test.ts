// The verification page as its reader meets it: a file opened in a browser that is offline. Its verdict must be the
// command's, for the same bytes and the same pin, down to the digest of the report.

import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type PageProgram, renderPage } from '../../src/app/verification-page.ts'
import { artifactsIn, extract, proveEvent, wholeBundle } from '../../src/clerk/extract.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import { verifierKey } from '../../src/ledger/tree/checkpoint.ts'
import { reportDigest } from '../../src/ledger/verify/report.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { openBrowser } from '../support/browser.ts'
import { sit } from '../support/council-sitting.ts'
import { completeErrand, type ErrandLog, OUTPUT } from '../support/errand-run.ts'
import {
  errandProgram,
  LIMIT,
  pageOf,
  pin,
  reportOf,
  shippedProgram,
  titleOf,
  unfold,
  visit,
} from '../support/page.ts'
import { openPorts } from '../support/ports.ts'
import { council, seal } from '../support/sealed-council.ts'
import { checkFile, NO_TRUST, toFile } from '../support/verification.ts'

const absent = inject('chromiumPath') === null
const title = absent ? 'the page (skipped: no Chromium)' : 'the page'

describe.skipIf(absent)(title, () => {
  const store = new MemoryStore()
  let browser: Browser
  let program: PageProgram
  let home: Awaited<ReturnType<typeof openPorts>>
  let log: ErrandLog
  let bundle: Bundle

  const kit = () => ({ store, registrar: home.registrar, sha256 })
  const key = () => home.ports.key('registrar')

  beforeAll(async () => {
    browser = await openBrowser()
    program = await errandProgram()
    home = await openPorts(store)
    log = await completeErrand(home.ports, home.registrar)
    bundle = await extract(kit(), log.trace)
  })
  afterAll(() => browser?.close())

  it('VER-7 VER-9 warns until the registry is pinned, then passes, without a network', async () => {
    const { page, incidents, close } = await visit(browser, await pageOf(program, bundle, store))
    expect(await titleOf(page)).toBe('Intact since signing')
    expect(await page.locator('#verdict').textContent()).toContain('signer not yet confirmed')
    const findings = await page.locator('.findings').textContent()
    expect(findings).toContain('TRUST_UNPINNED')
    const [, form = ''] = /paste it under “(.*)”/.exec(findings ?? '') ?? []
    expect(await page.getByRole('heading', { name: form || 'a form' }).count()).toBe(1)

    await pin(page, ` ${key().id}\n`)
    expect(await titleOf(page)).toBe('Verified')
    expect(await page.locator('.findings').count()).toBe(0)
    expect(await page.locator('details.event').count()).toBe(log.size)
    for (const id of [log.trace, key().id])
      expect(await page.locator('.identifiers').textContent()).toContain(id)

    await pin(page, verifierKey(sha256, home.registrar.trace, key().publicKey))
    expect(await titleOf(page)).toBe('Verified')
    await pin(page, home.ports.key('someone else').id)
    expect(await titleOf(page)).toBe('FAILED')
    await pin(page, 'hello')
    expect(await page.getByRole('alert').textContent()).toContain('neither a key')
    expect(await titleOf(page)).toBe('FAILED')
    await pin(page, '')
    expect(await titleOf(page)).toBe('Intact since signing')
    expect(incidents).toEqual([])
    await close()
  })

  it('VER-1 VER-7 names the same report digest as the command, each time it is opened', async () => {
    const html = await pageOf(program, bundle, store)
    const trust = { keys: [key().id], checkpoints: [] }
    const file = await toFile(bundle, store)
    for (const _ of ['once', 'twice']) {
      const { page, close } = await visit(browser, html)
      const unpinned = await checkFile(file)
      expect(await reportOf(page)).toEqual({ report: unpinned, digest: reportDigest(sha256, unpinned) })
      await pin(page, key().id)
      const pinned = await checkFile(file, trust)
      expect(await reportOf(page)).toEqual({ report: pinned, digest: reportDigest(sha256, pinned) })
      await close()
    }
  })

  it('LED-13 says that truncation is not excluded, until a checkpoint of the reader excludes it', async () => {
    const { page, close } = await visit(browser, await pageOf(program, bundle, store))
    await pin(page, key().id)
    expect(await page.locator('.identifiers').textContent()).toContain('Truncation not excluded')
    expect(await page.locator('.limits').textContent()).toContain('Truncation not excluded')

    const note = await home.registrar.sign(log.trace)
    await pin(page, note.replaceAll('\n', '\r\n').trim())
    expect(await titleOf(page)).toBe('Verified')
    expect(await page.locator('main').textContent()).not.toContain('Truncation not excluded')
    expect((await reportOf(page)).report).toMatchObject({
      trusted_by: 'checkpoint',
      truncation_excluded_to: log.size,
    })
    await close()

    const cut = {
      ...bundle,
      main: { ...bundle.main, events: bundle.main.events.slice(0, -1), checkpoint: null },
    }
    const short = await visit(browser, await pageOf(program, cut, store))
    await pin(short.page, note)
    expect(await titleOf(short.page)).toBe('FAILED')
    expect(await short.page.locator('.findings').textContent()).toContain('LOG_TRUNCATED')
    await short.close()
  })

  it('VER-7 tells a council as a person would, and shows the event itself when it is opened', async () => {
    const scene = await council()
    const sitting = sit()
    await seal(scene, sitting)
    const minutes = await wholeBundle(scene.store, sitting.trace)
    const { page, incidents, close } = await visit(
      browser,
      await pageOf(await shippedProgram(), minutes, scene.store),
    )
    await pin(page, scene.trust.keys[0] ?? '')
    expect(await titleOf(page)).toBe('Verified')
    const [first] = await page.locator('details.event').all()
    if (!first) throw new Error('no event is shown')
    expect(await first.locator('.what').textContent()).toBe(
      'olga asked (ask): Shall we put a cache before the reader?',
    )
    await unfold(first)
    expect(await first.locator('.inside').textContent()).toContain('council_opened')
    expect(await first.locator('.inside').textContent()).toContain('chair: ann')
    expect(incidents).toEqual([])
    await close()
  })

  it('VER-7 shows payloads and the text of artifacts, and gives the bundle out again', async () => {
    const { page, close } = await visit(browser, await pageOf(program, bundle, store))
    const row = page.locator('details.event', { hasText: 'tool_execution_completed' })
    await unfold(row)
    await row.getByText('Show content').click()
    expect(await row.locator('.preview .text').textContent()).toBe(OUTPUT)
    expect(await row.locator('.artifact').textContent()).toContain('bytes checked')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the bundle' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${log.trace}.witan`)
    const saved = readFileSync(await download.path())
    expect(saved.equals(await toFile(bundle, store))).toBe(true)
    await close()
  })

  it('VER-7 names an artifact over the limit as not included, never as checked', async () => {
    const limit = OUTPUT.length - 1
    const less = await extract(kit(), log.trace, { artifactLimit: limit })
    expect(less.omitted).toHaveLength(1)
    for (const given of [less, bundle]) {
      const html = await pageOf(program, given, store, limit)
      expect(html).not.toContain(Buffer.from(OUTPUT).toString('base64'))
      const { page, close } = await visit(browser, html)
      await pin(page, key().id)
      expect(await titleOf(page)).toBe('Verified with warnings')
      const omissions = (await page.locator('.omissions').textContent()) ?? ''
      expect(omissions).toContain(`Artifacts over ${limit} bytes were not put into this page.`)
      expect(omissions).toContain('output.txt (26 bytes) not included')
      expect(omissions).toContain(less.omitted[0])
      const row = page.locator('details.event', { hasText: 'tool_execution_completed' })
      await unfold(row)
      expect(await row.locator('.artifact').textContent()).toContain('not included, not checked')
      expect(await page.locator('main').textContent()).not.toContain('bytes checked')
      const node = await checkFile(await toFile(less, store), { keys: [key().id], checkpoints: [] })
      expect((await reportOf(page)).digest).toBe(reportDigest(sha256, node))
      await close()
    }
  })

  it('VER-7 shows headers only of a bundle without content, and single events of a proof', async () => {
    const bare = await extract(kit(), log.trace, { withoutContent: true })
    const { page, close } = await visit(browser, await pageOf(program, bare, store))
    await pin(page, key().id)
    expect(await titleOf(page)).toBe('Verified with warnings')
    expect(await page.locator('.findings').textContent()).toContain('CONTENT_WITHHELD')
    expect(await page.locator('.omissions').textContent()).toContain('All payloads and artifacts')
    await unfold(page.locator('details.event').first())
    expect(await page.locator('details.event .inside').first().textContent()).toContain('headers only')
    expect(await page.locator('main').textContent()).not.toContain('Which licence?')
    await close()

    const proof = await proveEvent(kit(), log.trace, 3)
    const single = await visit(browser, await pageOf(program, proof, store))
    await pin(single.page, key().id)
    expect(await titleOf(single.page)).toBe('Verified')
    expect(await single.page.locator('.omissions').textContent()).toContain(
      `All but 1 event of the ${log.size}`,
    )
    await single.close()
  })

  it('LED-14 says of erased content who erased it and why', async () => {
    const other = await completeErrand(home.ports, home.registrar)
    await home.registrar.redact({ trace: other.trace, seq: 4, artifact: null }, 'ana', 'a private address')
    const erased = await extract(kit(), other.trace)
    const { page, close } = await visit(browser, await pageOf(program, erased, store))
    await pin(page, key().id)
    expect(await titleOf(page)).toBe('Verified with warnings')
    expect(await page.locator('.omissions').textContent()).toContain('erased by ana: a private address')
    const row = page.locator('details.event.warning').first()
    await unfold(row)
    expect(await row.textContent()).toContain('Erased by ana: a private address')
    await close()
  })

  it('VER-7 never passes in a browser that cannot check signatures', async () => {
    const html = await pageOf(program, bundle, store)
    const unable = [
      `Object.defineProperty(crypto, 'subtle', { value: undefined })`,
      `SubtleCrypto.prototype.importKey = async () => { throw new DOMException('no', 'NotSupportedError') }`,
      `SubtleCrypto.prototype.verify = async () => true`,
      `SubtleCrypto.prototype.verify = async () => false`,
    ]
    for (const before of unable) {
      const { page, close } = await visit(browser, html, { before })
      expect(await titleOf(page)).toBe('Not checked')
      const text = ((await page.locator('main').textContent()) ?? '').toLowerCase()
      expect(text).toContain('this browser cannot check signatures')
      for (const word of ['verified', 'passed']) expect(text).not.toContain(word)
      await close()
    }
  })

  it('VER-7 fails when the browser breaks off in the middle', async () => {
    const before = `{
      const verify = SubtleCrypto.prototype.verify
      let calls = 0
      SubtleCrypto.prototype.verify = function (...given) {
        if (++calls > 5) throw new Error('out of memory')
        return verify.apply(this, given)
      }
    }`
    const { page, close } = await visit(browser, await pageOf(program, bundle, store), { before })
    expect(await titleOf(page)).toBe('FAILED')
    expect(await page.locator('#verdict').textContent()).toContain('out of memory')
    await close()
  })

  it('VER-7 VER-3 fails a trace of a protocol that it does not know, as the built page does errands', async () => {
    const html = await renderPage(bundle, artifactsIn(bundle), store, { artifactLimit: LIMIT })
    const { page, close } = await visit(browser, html)
    expect(await titleOf(page)).toBe('FAILED')
    expect(await page.locator('.findings').textContent()).toContain('does not know the protocol errand/1')
    await close()

    const registry = await extract(kit(), home.registrar.trace)
    const own = await visit(browser, await renderPage(registry, [], store, { artifactLimit: LIMIT }))
    await pin(own.page, key().id)
    expect(await titleOf(own.page)).toBe('Verified')
    const node = await checkFile(await toFile(registry, store), { ...NO_TRUST, keys: [key().id] })
    expect((await reportOf(own.page)).digest).toBe(reportDigest(sha256, node))
    expect(own.incidents).toEqual([])
    await own.close()
  })
})
