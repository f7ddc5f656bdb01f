// What a vendor's program sees of our environment: what any program needs to start, to speak the user's language and
// to reach the network, and the few names that this one needs. The keys of other vendors are none of them.

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
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const taken = [...NEEDED, ...NETWORK, ...pass].flatMap((name) => {
    const value = own[name]
    // An exported shell function is code for whatever shell the program starts.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(taken), ...given }
}
