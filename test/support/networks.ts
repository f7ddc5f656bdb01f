// Networks of their own for processes, each joined to this machine by one virtual cable that can be pulled. Addresses are
// of the range that is set aside for trials.

import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ip = (...args: readonly string[]) => run('ip', [...args])

/** Why no network can be made here, or null when one can. */
export function whyNoNetworks(): string | null {
  const name = `witan-${randomBytes(4).toString('hex')}`
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'pipe' })
    execFileSync('ip', ['netns', 'del', name], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `ip netns: ${error instanceof Error ? error.message.split('\n').at(-1) || error.message : error}`
  }
}

export interface Network {
  /** What comes before a command that is to run there. */
  readonly via: readonly string[]
  /** Pulls the cable: nothing says goodbye. */
  cut(): Promise<unknown>
  join(): Promise<unknown>
}

export interface Networks {
  /** Where this machine is reached from all of them, with the width of their common network. */
  readonly address: string
  readonly width: number
  readonly all: readonly Network[]
}

type Undo = (() => Promise<unknown>)[]

async function openNetwork(base: string, at: number, undo: Undo): Promise<Network> {
  const id = randomBytes(4).toString('hex')
  const [space, near, far] = [`witan-${id}`, `wn${id}`, `wf${id}`]
  const [ours, theirs] = [`${base}.${4 * at + 1}`, `${base}.${4 * at + 2}`]
  await ip('netns', 'add', space)
  undo.push(() => ip('netns', 'del', space))
  await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', space)
  // A connection that was never ended would keep the network, and with it the cable, for a while.
  undo.push(() => ip('link', 'del', near))
  await ip('address', 'add', `${ours}/30`, 'dev', near)
  await ip('link', 'set', near, 'up')
  await ip('-n', space, 'address', 'add', `${theirs}/30`, 'dev', far)
  const join = async (): Promise<unknown> => {
    await ip('-n', space, 'link', 'set', far, 'up')
    return ip('-n', space, 'route', 'replace', 'default', 'via', ours)
  }
  await join()
  return {
    via: ['ip', 'netns', 'exec', space],
    cut: () => ip('-n', space, 'link', 'set', far, 'down'),
    join,
  }
}

/** So many of them; they are taken away again by what is put into `undo`. */
export async function openNetworks(count: number, undo: Undo): Promise<Networks> {
  const base = `198.18.${randomInt(256)}`
  const all: Network[] = []
  for (let at = 0; at < count; at++) all.push(await openNetwork(base, at, undo))
  return { address: `${base}.1`, width: 24, all }
}
