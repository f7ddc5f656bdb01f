// Verifies a bundle in the page: the same reading, questions and judgement as on the command line, so that both name the
// same report digest.

import { signal } from '@preact/signals'
import { type BundleFile, readBundleBytes } from '../../../../browser/bundle-bytes.ts'
import {
  breathe,
  digestArtifacts,
  type Examination,
  examine,
  PROTOCOLS,
} from '../../../../browser/examine.ts'
import { signatureChecker } from '../../../../browser/signatures.ts'
import { isWitanError } from '../../../../ledger/errors.ts'
import type { Trust } from '../../../../ledger/verify/inquire.ts'

export type Verifying =
  | { readonly is: 'idle' }
  | { readonly is: 'busy'; readonly doing: string; readonly done: number; readonly total: number }
  | { readonly is: 'unable'; readonly why: string; readonly code: string | null }
  | { readonly is: 'judged'; readonly examination: Examination; readonly trust: Trust }

/** One verification, and its progress. A later one replaces an earlier one. */
export class Verifier {
  readonly state = signal<Verifying>({ is: 'idle' })
  #turn = 0
  #file: BundleFile | null = null

  /** Reads it again. */
  async take(loadBytes: () => Promise<Uint8Array>, loadTrust: () => Promise<Trust>): Promise<void> {
    await this.#run(async (progress) => {
      progress('reading', 0, 0)
      const [bytes, trust] = await Promise.all([loadBytes(), loadTrust()])
      await breathe()
      this.#file = readBundleBytes(bytes)
      return trust
    })
  }

  /** Judges what was read with other trust. */
  async judge(trust: Trust): Promise<void> {
    await this.#run(async () => trust)
  }

  async #run(
    prepare: (progress: (doing: string, done: number, total: number) => void) => Promise<Trust>,
  ): Promise<void> {
    const run = ++this.#turn
    const setState = (state: Verifying): void => {
      if (run === this.#turn) this.state.value = state
    }
    const progress = (doing: string, done: number, total: number): void =>
      setState({ is: 'busy', doing, done, total })
    try {
      const trust = await prepare(progress)
      const file = this.#file
      if (file === null) return
      const check = await signatureChecker()
      if (check === null)
        return setState({ is: 'unable', why: 'This browser cannot check Ed25519 signatures.', code: null })
      const artifacts = await digestArtifacts(file.artifacts, progress)
      const tools = { protocols: PROTOCOLS, check }
      const examination = await examine(file.bundle, artifacts, trust, tools, progress)
      setState({ is: 'judged', examination, trust })
    } catch (error) {
      const [why, code] = isWitanError(error)
        ? [`${error.message}. ${error.next}`, error.code]
        : [`The check broke off, so nothing is known: ${String(error)}`, null]
      setState({ is: 'unable', why, code })
    }
  }
}
