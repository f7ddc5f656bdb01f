// Someone at a real terminal: the command runs on a pseudo-terminal that `script` of util-linux makes, sees one on all
// three streams, and what is typed is typed when something was read.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { BINARY, type Where } from '../doors/command.ts'
import { OutputReader } from './output-reader.ts'

/** Whether this machine has the `script` that takes a command. */
export const hasTerminal = /util-linux/.test(String(spawnSync('script', ['--version']).stdout))

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

export class Terminal {
  readonly #child: ChildProcess
  readonly #reading: OutputReader
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
    this.#reading = new OutputReader(this.#child, this.#child.stdout, this.#child.stderr)
    this.ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)))
  }

  get screen(): string {
    return this.#reading.seen
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  reads(text: string): Promise<void> {
    return this.#reading.until(text)
  }
}
