// The command in a pane of tmux, as wide as wanted: what is on the screen in the end is what a person sees, after
// every movement of the cursor. Each pane has a server of its own, which ends with it.

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BINARY, type Where } from '../doors/command.ts'

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
const LOOK_MS = 50

export class Pane {
  readonly #socket = `witan-${randomUUID()}`

  constructor(where: Where & { readonly columns: number }, ...args: readonly string[]) {
    const { PATH } = process.env
    const env = { PATH, HOME: where.home, WITAN_HOME: where.home, LANG: 'C.UTF-8', ...where.env }
    const words = Object.entries(env).map(([name, value]) => `${name}=${quoted(String(value))}`)
    // What the command left on the screen can still be read after its end.
    const command = `${words.join(' ')} ${[process.execPath, BINARY, ...args].map(quoted).join(' ')}; sleep 600`
    const size = ['-x', String(where.columns), '-y', '60']
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-c', where.cwd ?? where.home, command)
  }

  #tmux(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
    return stdout
  }

  /** All that was shown, without blank lines at the end; with `painted` also its colours. */
  screen({ painted = false } = {}): string {
    return this.#tmux('capture-pane', '-p', '-S', '-', ...(painted ? ['-e'] : [])).trimEnd()
  }

  type(text: string): void {
    if (text !== '') this.#tmux('send-keys', '-l', text)
    this.#tmux('send-keys', 'Enter')
  }

  async reads(text: string): Promise<void> {
    while (!this.screen().includes(text)) await sleep(LOOK_MS)
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server'])
  }
}
