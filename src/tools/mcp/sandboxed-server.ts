// How the program of a server runs in a sandbox: it sees the system's programs, its own package, both
// read-only, and the granted folders at their own paths, since its calls name them so. Its home is empty, it
// has only the variables that were configured for it, and network access only where that was configured. The
// store, the keys and the home of the user do not exist in it.

import type { ChildProcess } from 'node:child_process'
import { access, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import { Fault } from '../../mcp-client/fault.ts'
import { type McpServer, passedOn } from '../../mcp-client/server.ts'
import {
  type Forbidden,
  findRealPath,
  placeFault,
  type Root,
  realForbidden,
  within,
} from '../allowed-paths.ts'
import { type ControlGroup, groupFor } from '../shell/control-group.ts'
import { guardHooks, type HookGuard, plantedWords } from '../shell/hook-guard.ts'
import { type Launch, launchOf } from '../shell/launch.ts'
import { SANDBOX_LIMITS, type SandboxLimits, tooMuch } from '../shell/limits.ts'
import { kill } from '../shell/processes.ts'
import { watch } from '../shell/run-bounded.ts'
import {
  collectMounts,
  findProgram,
  HOME,
  hiddenIn,
  isOfSystem,
  type Mounted,
  PATH,
  sandboxArguments,
} from '../shell/sandbox.ts'
import type { Prepared } from './shared-server.ts'

/** What the program of a server can see from inside its sandbox. */
export interface Enclosure {
  /** The first is the workspace, where the server runs unless it was given a folder that it can see. */
  readonly roots: readonly Root[]
  readonly forbidden: Forbidden
  readonly network: boolean
  /** Further folders that its program needs, read-only. */
  readonly folders: readonly string[]
  /** The limits of the sandbox. */
  readonly limits?: SandboxLimits
}

type Program = Extract<McpServer, { readonly command: readonly string[] }>

const unavailable = (message: string): Fault => new Fault('network', 'unavailable', message)

const INSTALL =
  'bubblewrap is not installed, so the server cannot be confined: install the package bubblewrap, or let ' +
  "agents.servers of the operator's own configuration say confined: false for it"

const there = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() ?? false

/** A folder that contains someone's home, or is one, would show far more than a program. */
const isOfProgram = (folder: string, { never, homes }: Forbidden): boolean =>
  ![...never, ...homes].some((place) => within(folder, place))

/** The outermost `node_modules` that contains it, since packages share theirs. */
function modulesOf(file: string): string | null {
  const steps = file.split(sep)
  const at = steps.indexOf('node_modules')
  return at < 0 ? null : steps.slice(0, at + 1).join(sep)
}

/** That; otherwise the package; otherwise the folder of the file. */
async function findPackage(file: string, forbidden: Forbidden): Promise<string> {
  const modules = modulesOf(file)
  if (modules !== null) return modules
  for (let folder = dirname(file); isOfProgram(folder, forbidden); folder = dirname(folder)) {
    if (await there(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) break
  }
  return isOfProgram(dirname(file), forbidden) ? dirname(file) : file
}

/** `…/bin/node` needs the folders beside `bin`. */
const prefixOf = (program: string): string =>
  modulesOf(program) ?? (basename(dirname(program)) === 'bin' ? dirname(dirname(program)) : dirname(program))

const shown = (real: string, inside: string): Mounted => ({
  root: { name: 'program', path: real, write: false },
  real,
  inside,
})

async function realPlace(path: string, forbidden: Forbidden, what: string): Promise<string> {
  const real = await findRealPath(path)
  if (real === null) throw unavailable(`${what} ${path} is not there`)
  const fault = placeFault(real, real, { never: forbidden.never, homes: [] })
  if (fault !== null) throw unavailable(`${what} ${path} cannot be shown to the server: ${fault}`)
  return real
}

interface Found {
  readonly argv: readonly string[]
  readonly mounts: readonly Mounted[]
}

async function programIn(
  [name = '', ...args]: readonly string[],
  cwd: string,
  searched: string,
): Promise<Found> {
  const program = name.includes('/') ? resolve(cwd, name) : await findProgram(name, searched)
  const real = program === null ? null : await findRealPath(program)
  if (program === null || real === null)
    throw unavailable(`the server ${name} cannot be started: there is no such program or folder`)
  // Most servers are scripts that need node: the one that runs us is used.
  const places = [program, real, process.execPath].filter((path) => !isOfSystem(path)).map(prefixOf)
  const mounts = await Promise.all(
    [...new Set(places)].map(async (place) => shown((await findRealPath(place)) ?? place, place)),
  )
  return { argv: [program, ...args], mounts }
}

const RELATIVE = /^\.{1,2}(?:\/|$)/

/**
 * Arguments that name a file are the server's own code or settings; a folder is shown only where it was granted. Paths
 * relative to the folder that the server was configured with are made absolute, since it may run in another one.
 */
async function filesIn({ argv: [program = '', ...args], mounts }: Found, cwd: string, forbidden: Forbidden) {
  const known = [...mounts]
  const words: string[] = [program]
  for (const word of args) {
    const path = resolve(cwd, word)
    const isPath = !word.startsWith('-') && (await isFile(path))
    if (!isPath) words.push(RELATIVE.test(word) ? path : word)
    else {
      const real = await realPlace(path, forbidden, 'the file')
      words.push(real)
      const place = await findPackage(real, forbidden)
      if (!isOfSystem(place)) known.push(shown(place, place))
    }
  }
  return { argv: words, mounts: known }
}

interface Running {
  readonly launch: Launch
  readonly limits: SandboxLimits
  readonly guard: HookGuard
  readonly writable: readonly string[]
  readonly group: ControlGroup | null
}

const LOOK_EVERY_MS = 100

/** A server that exceeds its limits is ended at once, with all its processes. */
function attached(running: Running, child: ChildProcess, give: (why: string) => void) {
  const { launch, limits, writable, group } = running
  const launched = launch.feed(child)
  const unwatch = watch({
    limits,
    first: () => launched.first,
    folders: writable,
    everyMs: LOOK_EVERY_MS,
    exceeded: (what) => {
      kill(launched.first ?? undefined)
      give(`the server ${tooMuch(what, limits)}`)
    },
  })
  child.once('exit', () => {
    unwatch()
    launched.cut()
    kill(launched.first ?? undefined)
    if (group?.ranOut()) give(`the server ${tooMuch('memory', limits)}`)
    void group?.remove()
  })
}

function preparedOf(running: Running): Prepared {
  const { launch, guard, group } = running
  const { command, stdio: extra } = launch
  return {
    server: {
      command,
      env: {},
      cwd: '/',
      extra,
      attach: (child, give) => attached(running, child, give),
    },
    check: async () => {
      const planted = await guard.sweep()
      return planted.length === 0 ? null : plantedWords('server', planted)
    },
    release: async () => {
      await guard.release()
      await group?.remove()
    },
  }
}

/** Throws a Fault of the connection where it cannot be run so, and HAND_UNAVAILABLE where nothing can. */
export async function enclosed(
  server: Program,
  enclosure: Enclosure,
  environment: NodeJS.ProcessEnv,
): Promise<Prepared> {
  const { roots, network, folders, limits = SANDBOX_LIMITS } = enclosure
  const searched = environment.PATH ?? PATH
  const bwrap = await findProgram('bwrap', searched)
  if (bwrap === null)
    throw new WitanError('HAND_UNAVAILABLE', 'A server cannot be confined here', `${INSTALL}.`)
  const forbidden = realForbidden(enclosure.forbidden)
  const granted = (await collectMounts({ roots, forbidden })).map((mount) => ({
    ...mount,
    inside: mount.real,
  }))
  const from = server.cwd ?? granted[0]?.real ?? '/'
  const program = await filesIn(await programIn(server.command, from, searched), from, forbidden)
  const named = await Promise.all(
    folders.map(async (folder) => shown(await realPlace(folder, forbidden, 'the folder'), resolve(folder))),
  )
  // Granted folders come last, and so cover the part of a program that contains them.
  const mounts = [...program.mounts, ...named, ...granted]
  const isSeen = mounts.some(({ inside }) => within(inside, from))
  const place = isSeen ? from : (granted[0]?.inside ?? '/tmp')
  const env = {
    PATH: [dirname(program.argv[0] ?? ''), PATH, dirname(process.execPath)].join(':'),
    HOME,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    ...passedOn(server, environment),
  }
  const guard = await guardHooks(granted, hiddenIn(forbidden))
  const options = { forbidden, system: [], network, temporaryBytes: limits.temporaryBytes }
  const args = await sandboxArguments(options, mounts, guard.args, place, env).catch(
    async (error: unknown) => {
      await guard.release()
      throw error
    },
  )
  const group = groupFor(limits)
  const launch = launchOf({ bwrap, args, argv: program.argv, limits, network, group })
  const writable = granted.filter(({ root }) => root.write).map(({ real }) => real)
  return preparedOf({ launch, limits, guard, writable, group })
}
