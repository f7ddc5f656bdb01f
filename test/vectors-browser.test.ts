// The Ed25519 vectors of other projects, decided in Chromium by the page's own signature checker. A browser's
// verify is not ours to change, so each one is held to the written rule by all of them.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openBrowser } from './support/browser.ts'
import { bundleScript, visit } from './support/page.ts'
import {
  cctvVectors,
  decided,
  type SignatureVector,
  vectorsPresent,
  vectorsTitle,
  wycheproofVectors,
} from './support/vectors.ts'

const absent = inject('chromiumPath') === null
const title = absent ? 'vectors in Chromium (skipped: no Chromium)' : vectorsTitle('vectors in Chromium')

const DECIDER = `
  import { fromHex } from './src/ledger/bytes.ts'
  import { signatureChecker } from './src/browser/signatures.ts'
  globalThis.decide = async (vectors) => {
    const check = await signatureChecker()
    if (!check) throw new Error('this browser cannot check signatures')
    const bytes = (text) => fromHex(text)
    return Promise.all(vectors.map(({ publicKey, message, signature }) =>
      check({ publicKey: bytes(publicKey), message: bytes(message), signature: bytes(signature) })))
  }`

describe.skipIf(absent || !vectorsPresent)(title, () => {
  let browser: Browser
  let html: string

  beforeAll(async () => {
    browser = await openBrowser()
    html = `<!doctype html><meta charset="utf-8"><script>${await bundleScript(DECIDER)}</script>`
  })
  afterAll(() => browser?.close())

  async function decide(vectors: readonly SignatureVector[]): Promise<{ accepted: number; refused: number }> {
    const { page, close } = await visit(browser, html, { unsettled: true })
    const answers: boolean[] = await page.evaluate(`decide(${JSON.stringify(vectors)})`)
    await close()
    const wrong = vectors.filter(({ accepted }, i) => answers[i] !== accepted).map(({ name }) => name)
    expect(wrong).toEqual([])
    expect(answers).toHaveLength(vectors.length)
    const accepted = answers.filter(Boolean).length
    return { accepted, refused: answers.length - accepted }
  }

  it('VER-8 LED-4 decides the 151 Wycheproof Ed25519 vectors as their authors do', async () => {
    const verdicts = await decide(wycheproofVectors())
    decided('wycheproof in Chromium', verdicts.accepted + verdicts.refused)
    expect(verdicts).toStrictEqual({ accepted: 88, refused: 63 })
  })

  it('VER-8 LED-4 decides the 914 CCTV Ed25519 vectors as the acceptance rule says', async () => {
    const verdicts = await decide(cctvVectors())
    decided('cctv in Chromium', verdicts.accepted + verdicts.refused)
    expect(verdicts).toStrictEqual({ accepted: 86, refused: 828 })
  })
})
