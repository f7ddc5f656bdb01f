// Hooks outlive the command that writes them, so what they start has to stay where it is: a copy that a package runner made for
// one run is deleted sooner or later, and from then on every gated call is denied and every other one goes unrecorded.

import { WitanError } from '../../ledger/errors.ts'

/** Parts of a path that only package runners make, with `/` between folders. */
const RUNNERS: readonly (readonly [name: string, path: RegExp])[] = [
  ['npx', /\/_npx\//],
  ['pnpm dlx', /\/dlx\/[0-9a-z]{20,}\/[0-9a-z-]+\/node_modules\//],
  // Yarn, and pnpm up to its eighth release.
  ['dlx', /\/dlx-\d+\//],
  ['bunx', /\/\.?bunx-\d+[-/]/],
]

/** Yarn keeps packages in archives, which its own loader alone can read. */
const ARCHIVE = /\.zip\//

const INSTALL =
  'Install it for yourself (npm install -g witan) or in the project (npm install --save-dev witan), then attach again.'

/** `files`: what the hooks start, and what was started now. */
export function refuseTemporaryInstall(files: readonly string[]): void {
  for (const file of files) {
    const path = file.replaceAll('\\', '/')
    const [name] = RUNNERS.find(([, pattern]) => pattern.test(path)) ?? []
    const place = name === undefined ? null : `a folder of ${name} that is deleted later`
    const where = place ?? (ARCHIVE.test(path) ? 'an archive that hooks cannot start' : null)
    if (where !== null) throw new WitanError('USAGE', `Witan runs from ${where}: ${file}`, INSTALL)
  }
}
