// The browser of the tests: the system's own Chromium, silent on the network, with a fresh profile each time.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The first Chromium on the PATH or in Debian's place, or null. */
export function findChromium(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'].filter((folder) => folder !== '')
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return candidates.find((path) => existsSync(path)) ?? null
}

/** Close what this returns. Chromium's sandbox does not work for root, and only then is it left out. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = inject('chromiumPath')
  if (executablePath === null) throw new Error('no Chromium: skip this suite when chromiumPath is null')
  const chromiumSandbox = process.getuid?.() !== 0
  return chromium.launch({ executablePath, chromiumSandbox, headless: true, args: QUIET })
}
