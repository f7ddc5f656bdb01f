// The working folder of a vendor's program: an empty current folder, and beside it a home, a folder for
// temporary files and what it must read. All of it is deleted when the call is over; some programs write
// prompts into their reports.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Room {
  /** Empty, and stays so unless the program writes there. */
  readonly cwd: string
  readonly home: string
  readonly tmp: string
  /** Writes a file for the program outside of `cwd`; gives its path. */
  write(name: string, text: string): Promise<string>
  /** Lets the program see, and renew, a file of the user's at a place in its own home. */
  link(name: string, target: string): Promise<void>
  close(): Promise<void>
}

export async function openRoom(): Promise<Room> {
  const root = await mkdtemp(join(tmpdir(), 'witan-cli-'))
  const place = (name: string) => join(root, name)
  await Promise.all(['cwd', 'home', 'tmp'].map((name) => mkdir(place(name), { mode: 0o700 })))
  const inside = async (name: string): Promise<string> => {
    const path = place(name)
    await mkdir(dirname(path), { recursive: true })
    return path
  }
  return {
    cwd: place('cwd'),
    home: place('home'),
    tmp: place('tmp'),
    async write(name, text) {
      const path = await inside(name)
      await writeFile(path, text, { mode: 0o600 })
      return path
    },
    async link(name, target) {
      await symlink(target, await inside(name))
    },
    close: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

// What a vendor's program sees of our environment: what any program needs to start, for the user's language
// and for the network, and the few names that this one needs. The keys of other vendors are not included.

export type Environment = Readonly<Record<string, string | undefined>>

const NEEDED = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'USER', 'LOGNAME']

const NETWORK = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
]

export function minimalEnvironment(
  own: Environment,
  /** Variables of ours that this program may have. */
  pass: readonly string[],
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const taken = [...NEEDED, ...NETWORK, ...pass].flatMap((name) => {
    const value = own[name]
    // An exported shell function is code for any shell the program starts.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(taken), ...variables }
}
