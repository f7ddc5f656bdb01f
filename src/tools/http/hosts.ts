// Whether a request may go to its address: the scheme, the host and the port were granted, and every address
// of the name is public, unless the operator has granted exactly that host as a private one. The result is
// the address to connect to: a name is resolved once, so that it cannot mean another place a moment later.

import { isIP } from 'node:net'
import { WitanError } from '../../ledger/errors.ts'
import { Fault } from '../call-tool.ts'
import { isPublicAddress } from './public-addresses.ts'

/** A granted host, and how it may be reached. */
export interface HostGrant {
  /** A name, an address, `*.name` for all names below it, or `*` for every public host. */
  readonly host: string
  /** 443 and 80 by their schemes unless given. */
  readonly port?: number
  /** The host may have a private address; only for one exact host. */
  readonly private?: boolean
  /** Sent to this host only; their values are secrets. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An address of a host. */
export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** Finds the addresses of a host. */
export type Resolve = (name: string) => Promise<readonly Address[]>

export interface Destination extends Address {
  readonly url: URL
  readonly grant: HostGrant
}

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** Throws CONFIG_INVALID for an impossible grant. */
export function checkGrant(grant: HostGrant): void {
  const { host, port } = grant
  const fault =
    host === '' || /[\s/@]|:\/\//.test(host)
      ? `${JSON.stringify(host)} is no host`
      : host.includes('*') && !/^\*(?:\.[^*]+)?$/.test(host)
        ? `${host}: a star stands alone or before the first dot`
        : grant.private === true && host.includes('*')
          ? `${host}: a private host is granted by its own name`
          : port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)
            ? `${port} is no port`
            : null
  if (fault === null) return
  throw new WitanError(
    'CONFIG_INVALID',
    fault,
    'Write hosts as {host: example.org} or {host: "*.example.org"}.',
  )
}

export function hostMatches(pattern: string, host: string): boolean {
  const wanted = bare(pattern)
  if (wanted === '*') return true
  if (!wanted.startsWith('*.')) return wanted === bare(host)
  // A star stands for names, never for addresses.
  return isIP(bare(host)) === 0 && bare(host).endsWith(wanted.slice(1))
}

const standardPort = (url: URL): number => (url.protocol === 'https:' ? 443 : 80)
export const portOf = (url: URL): number => (url.port === '' ? standardPort(url) : Number(url.port))

/** The grant that covers an address, before any name is resolved. Throws a Fault. */
export function grantFor(url: URL, grants: readonly HostGrant[]): HostGrant {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Fault('denied', `only http and https are spoken, not ${url.protocol.replace(/:$/, '')}`)
  }
  if (url.username !== '' || url.password !== '') throw new Fault('denied', 'an address carries no password')
  const port = portOf(url)
  const fits = (grant: HostGrant) =>
    hostMatches(grant.host, url.hostname) && port === (grant.port ?? standardPort(url))
  const fitting = grants.filter(fits)
  // The most exact one counts: it may contain a header or be private.
  const grant = fitting.find((one) => !one.host.includes('*')) ?? fitting[0]
  if (grant === undefined)
    throw new Fault('denied', `the host ${bare(url.hostname)} port ${port} is not granted`)
  return grant
}

/** Where a request goes. Throws a Fault, and connects to nothing. */
export async function resolveDestination(
  url: URL,
  grants: readonly HostGrant[],
  resolve: Resolve,
): Promise<Destination> {
  const grant = grantFor(url, grants)
  const host = bare(url.hostname)
  const family = isIP(host)
  const addresses: readonly Address[] =
    family === 0 ? await resolve(host) : [{ address: host, family: family === 4 ? 4 : 6 }]
  const [first] = addresses
  if (first === undefined) throw new Fault('unavailable', `the name ${host} has no address`)
  const inner = grant.private === true ? undefined : addresses.find((one) => !isPublicAddress(one.address))
  if (inner === undefined) return { ...first, url, grant }
  throw new Fault('denied', `${host} is at ${inner.address}, which is not of the public Internet`)
}
