// A server gets what a program needs to run here and what its configuration names, and nothing else: the keys in our
// own environment belong to other vendors.

const NEEDED: readonly string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

export function serverEnvironment(
  own: NodeJS.ProcessEnv,
  /** Variables of ours that the server may have. */
  pass: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...taken(own, NEEDED), ...taken(own, pass), ...variables }
}

/** Those of our variables that are set. */
export function taken(own: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const entries = names.flatMap((name) => {
    const value = own[name]
    // An exported shell function is code for any shell the server starts.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}
