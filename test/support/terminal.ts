// Someone at a real terminal: the command runs on a pseudo-terminal that `script` of util-linux makes, sees one on all
// three streams, and what is typed is typed when something was read.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { BINARY, type Where } from '../doors/command.ts'

/** Whether this machine has the `script` that takes a command. */
export const hasTerminal = /util-linux/.test(String(spawnSync('script', ['--version']).stdout))

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

export class Terminal {
  readonly #child: ChildProcess
  #seen = ''
  #from = 0
  #wake: () => void = () => undefined
  readonly ended: Promise<number | null>

  constructor(where: Where, ...args: readonly string[]) {
    const command = [process.execPath, BINARY, ...args].map(quoted).join(' ')
    const { PATH } = process.env
    const env = {
      PATH,
      HOME: where.home,
      WITAN_HOME: where.home,
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      TERM: 'xterm',
    }
    this.#child = spawn('script', ['-qefc', `stty cols 100 -echo; ${command}`, '/dev/null'], {
      cwd: where.cwd,
      env: { ...env, ...where.env } as NodeJS.ProcessEnv,
    })
    const hear = (chunk: Buffer): void => {
      this.#seen += chunk
      this.#wake()
    }
    this.#child.stdout?.on('data', hear)
    this.#child.stderr?.on('data', hear)
    this.ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)))
    void this.ended.then(() => this.#wake())
  }

  get screen(): string {
    return this.#seen
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  /** Reads on until this is there; fails when the command ends before. */
  async reads(text: string): Promise<void> {
    for (;;) {
      const at = this.#seen.indexOf(text, this.#from)
      if (at >= 0) {
        this.#from = at + text.length
        return
      }
      if (this.#child.exitCode !== null) throw new Error(`it ended without '${text}':\n${this.#seen}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
