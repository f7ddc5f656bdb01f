// The network access for calls of APIs: through the proxy that the environment names, and trusting your own
// certificates from the settings or the environment in addition to Node's. Addresses of this machine are
// never requested through a proxy.

import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'

export interface Network {
  readonly env: Readonly<Record<string, string | undefined>>
  /** A file of further trusted certificates (PEM); null for none. */
  readonly ca: string | null
}

const HERE = 'localhost,127.0.0.1,::1'

/** Read as other programs do: lower-case names come first. */
const variable = (env: Network['env'], name: string): string =>
  env[name.toLowerCase()]?.trim() || env[name]?.trim() || ''

async function trusted({ env, ca }: Network): Promise<{ readonly ca?: readonly string[] }> {
  // Named alone, Node's own way of reading it is enough; beside another list it would be ignored.
  if (ca === null) return {}
  const files = [ca, ...(env.NODE_EXTRA_CA_CERTS ? [env.NODE_EXTRA_CA_CERTS] : [])]
  const own = await Promise.all(
    files.map((file) =>
      readFile(file, 'utf8').catch((error: Error) => {
        throw new Error(`the certificates in ${file} cannot be read: ${error.message}`)
      }),
    ),
  )
  return { ca: [...rootCertificates, ...own] }
}

async function openNetwork(network: Network): Promise<typeof fetch> {
  const { env } = network
  const { EnvHttpProxyAgent, fetch: send } = await import('undici')
  const tls = await trusted(network)
  const options = { ca: tls.ca === undefined ? undefined : [...tls.ca] }
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: variable(env, 'HTTP_PROXY'),
    httpsProxy: variable(env, 'HTTPS_PROXY'),
    noProxy: [variable(env, 'NO_PROXY'), HERE].filter((names) => names !== '').join(','),
    connect: options,
    requestTls: options,
    proxyTls: options,
  })
  const sent = async (input: string, init: object): Promise<Response> => {
    const { status, headers, body } = await send(input, { ...init, dispatcher })
    // An instance of Node's own class, which callers check.
    return new Response(body as ReadableStream<Uint8Array> | null, { status, headers: [...headers] })
  }
  return sent as typeof fetch
}

/** Undefined where Node's own way is right. */
export function networkFetch(network: Network): typeof fetch | undefined {
  const { env, ca } = network
  const proxied = [variable(env, 'HTTP_PROXY'), variable(env, 'HTTPS_PROXY')].some((proxy) => proxy !== '')
  if (!proxied && ca === null) return undefined
  let opened: Promise<typeof fetch> | null = null
  return async (input, init) => {
    opened ??= openNetwork(network)
    return (await opened)(input, init)
  }
}
