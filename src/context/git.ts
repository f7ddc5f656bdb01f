// Runs git, only to read. A repository may be hostile: its configuration must run nothing, so everything that
// git could run from it (hooks, filters, external diffs, monitors, transports) is switched off by name,
// nothing goes through a shell, and the output is limited.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { WitanError } from '../ledger/errors.ts'

const MAX_OUTPUT = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

const SAFE = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...[
    `core.hooksPath=${devNull}`,
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.quotePath=true',
    'core.sshCommand=false',
    'core.alternateRefsCommand=',
    'diff.external=',
    `diff.orderFile=${devNull}`,
    'diff.suppressBlankEmpty=false',
    'protocol.allow=never',
    'submodule.recurse=false',
    'gc.auto=0',
    'maintenance.auto=false',
  ].flatMap((setting) => ['-c', setting]),
]

const KEPT = ['PATH', 'HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'SystemRoot', 'TMPDIR', 'TEMP']

function environment(top: string): NodeJS.ProcessEnv {
  const variables = KEPT.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  )
  return {
    ...Object.fromEntries(variables),
    // Both are named explicitly: a configured work tree could be any folder of this machine.
    GIT_DIR: join(top, '.git'),
    GIT_WORK_TREE: top,
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    LC_ALL: 'C',
  }
}

interface GitResult {
  readonly code: number
  readonly out: Buffer
  readonly stderr: string
}

function run(top: string, args: readonly string[], input?: string): Promise<GitResult> {
  return new Promise((done, fail) => {
    const options = {
      cwd: top,
      env: environment(top),
      encoding: 'buffer',
      maxBuffer: MAX_OUTPUT,
      timeout: TIMEOUT_MS,
      windowsHide: true,
    } as const
    const child = execFile('git', [...SAFE, ...args], options, (error, out, err) => {
      const stderr = err.toString('utf8').trim().slice(0, 500)
      if (error === null) return done({ code: 0, out, stderr })
      if (typeof error.code === 'number') return done({ code: error.code, out, stderr })
      fail(missing(error))
    })
    // git may end before it has read everything.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input ?? '')
  })
}

function missing(error: Error & { readonly code?: unknown; readonly killed?: unknown }): WitanError {
  if (error.code === 'ENOENT') {
    return new WitanError(
      'GIT_MISSING',
      'git is not installed.',
      'Install git, or give paths to review files as they are.',
    )
  }
  const why =
    error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      ? 'git printed more than 64 MB.'
      : error.killed === true
        ? 'git did not finish within a minute.'
        : 'git could not be run.'
  return new WitanError('GIT_MISSING', why, 'Review a smaller range, or limit it to paths.', { cause: error })
}

export interface Repository {
  /** Its working folder. */
  readonly top: string
  git(args: readonly string[], input?: string): Promise<GitResult>
}

/** The nearest parent folder that is a git repository; null when there is none. */
export function topOf(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return null
  }
}

const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/is

const unreadable = (why: string): WitanError =>
  new WitanError(
    'NOT_A_REPOSITORY',
    `git cannot read the repository here: ${why}`,
    'Mend the repository, or name the files or folders to review.',
  )

/** Filters are programs too; each configured one is emptied by name. */
async function disableFilters(top: string): Promise<string[]> {
  const { code, out, stderr } = await run(top, ['config', '--list', '--name-only', '-z'])
  if (code !== 0) throw unreadable(stderr)
  const names = out
    .toString('utf8')
    .split('\0')
    .flatMap((name) => FILTER.exec(name)?.[1] ?? [])
  // git would read such a name differently, and the filter would stay active.
  if (names.some((name) => /[=\n\ufffd]/.test(name)))
    throw unreadable('it configures a filter by a name that is none.')
  return [...new Set(names)].flatMap((name) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => [
      '-c',
      `filter.${name}.${setting}`,
    ]),
  )
}

export async function openRepository(folder: string): Promise<Repository> {
  const top = topOf(folder)
  if (top === null) {
    throw new WitanError(
      'NOT_A_REPOSITORY',
      'this folder is not in a git repository, so there is no change to review',
      'Name the files or folders to review, for example: witan review src',
    )
  }
  const off = await disableFilters(top)
  const seen = await run(top, [...off, 'rev-parse', '--git-dir'])
  if (seen.code !== 0) throw unreadable(seen.stderr)
  return { top, git: (args, input) => run(top, [...off, ...args], input) }
}
