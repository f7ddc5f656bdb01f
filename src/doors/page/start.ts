// The sequence of a visit: read the data of the page, check it, show it; check again when the reader pins
// a registry. Every error ends in a verdict that is not a pass.

import { sha256 } from '../../browser/bytes.ts'
import { breathe, digestArtifacts, examine } from '../../browser/examine.ts'
import { signatureChecker } from '../../browser/signatures.ts'
import { NO_TRUST } from '../../browser/trust-text.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { inquire, type Trust } from '../../ledger/verify/inquire.ts'
import type { Protocol } from '../../protocol.ts'
import { answerView } from './answer.ts'
import { type PageData, readBlocks } from './blocks.ts'
import { fill, h } from './dom.ts'
import { pageContextOf } from './examined.ts'
import { findings, recordView, results } from './results.ts'
import { trustForm } from './trust-form.ts'
import { showChecking, showFailure, showProgress, showUnable, showVerdict } from './verdict.ts'

function readCargo(): PageData {
  const elements = document.querySelectorAll<HTMLScriptElement>('script[data-witan]')
  return readBlocks(Array.from(elements, (e) => ({ kind: e.dataset.witan ?? '', text: e.textContent ?? '' })))
}

async function visit(protocols: readonly Protocol[], main: HTMLElement): Promise<void> {
  showChecking()
  await breathe()
  const cargo = readCargo()
  const artifacts = await digestArtifacts(cargo.artifacts, showProgress)
  const check = await signatureChecker()
  const shown = h('div', 'results')
  if (check === null) {
    showUnable()
    const scene = pageContextOf(cargo, artifacts, inquire(sha256, cargo.bundle, NO_TRUST), null)
    fill(shown, answerView(scene), recordView(scene), results(scene))
    main.append(shown)
    return
  }
  const answer = h('div', 'first')
  const findingsBox = h('div', 'found')
  // An examination that was replaced by a newer pin must not overwrite its verdict.
  let latest = 0
  const run = async (trust: Trust): Promise<void> => {
    const turn = ++latest
    showChecking()
    shown.setAttribute('aria-busy', 'true')
    const progress: typeof showProgress = (...at) => {
      if (turn === latest) showProgress(...at)
    }
    const examination = await examine(cargo.bundle, artifacts, trust, { protocols, check }, progress)
    if (turn !== latest) return
    showVerdict(examination.report)
    const scene = pageContextOf(cargo, artifacts, examination.inquiry, examination)
    const isFailed = examination.report.status === 'fail'
    fill(answer, isFailed ? findings(scene) : null, answerView(scene), recordView(scene))
    fill(findingsBox, isFailed ? null : findings(scene))
    fill(shown, results(scene))
    shown.removeAttribute('aria-busy')
  }
  const pin = async (trust: Trust): Promise<void> => {
    document.getElementById('verdict')?.scrollIntoView({ block: 'nearest' })
    await run(trust).catch(fail)
  }
  await run(NO_TRUST)
  main.append(answer, trustForm(pin), findingsBox, shown)
}

function fail(error: unknown): void {
  for (const part of document.querySelectorAll('.first, .found, .results')) part.remove()
  if (isWitanError(error)) showFailure(`${error.message}. ${error.next}`, error.code)
  else showFailure(`The check broke off, so nothing is known: ${String(error)}`, null)
}

export function start(protocols: readonly Protocol[]): void {
  const main = document.querySelector('main')
  if (main) visit(protocols, main).catch(fail)
}
