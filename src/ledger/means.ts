// How a person gave a decision, as events state it in `via`. None of these ways proves that only a person
// acted: a program can create a terminal, a host can answer for its user. A record states which one it was,
// and its reader judges.

/** `key-file` is what older sessions call `file`. */
export const MEANS = ['terminal', 'key-file', 'host', 'passphrase', 'file', 'console', 'none'] as const

export type Means = (typeof MEANS)[number]

/** The texts shown to people. */
export const MEANS_WORDS: Readonly<Record<Means, string>> = {
  terminal: 'at a terminal (presence not proven)',
  passphrase: 'with a passphrase',
  'key-file': 'with a key file',
  file: 'with a key file',
  host: 'through a host (presence not proven)',
  console: 'in the console',
  none: 'without a terminal (nothing shows a person)',
}
