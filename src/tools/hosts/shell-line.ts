// What can be said about a shell command from its text alone. A single plain command is read word by word;
// everything that a shell would expand (pipes, variables, substitution) counts as arbitrary code. A list of
// known programs, not a proof: an unknown one is judged as running something.

import type { Effect } from '../toolset.ts'

const META = /[;&|<>()$`\n\r{}*?[\]!#\\]/
const WORDS = /"([^"]*)"|'([^']*)'|([^\s"']+)/g
/** Words, each quoted whole or not at all. */
const ONLY_WORDS = /^(?:(?:"[^"]*"|'[^']*'|[^\s"']+)(?:\s+|$))+$/

/** The words of a command that a shell would run as it is; null for anything else. */
export function plainWords(command: string): readonly string[] | null {
  const text = command.trim()
  if (META.test(text) || !ONLY_WORDS.test(text)) return null
  const words = [...text.matchAll(WORDS)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  return words[0]?.includes('=') ? null : words
}

const READERS = new Set(
  'ls cat head tail wc pwd echo grep egrep fgrep rg stat file du df tree which basename dirname date sort uniq cut diff cmp whoami id uname true false nl tac realpath readlink printf'.split(
    ' ',
  ),
)
const GIT_READS = /^(?:status|log|diff|show|rev-parse|ls-files|ls-tree|blame|describe|shortlog|cat-file)$/
const GIT_REMOTE = /^(?:push|pull|fetch|clone|ls-remote|submodule)$/
const REACHES = new Set(
  'curl wget ssh scp sftp nc ncat netcat telnet ftp rsync ping dig host nslookup gh'.split(' '),
)
const MANAGERS = new Set(
  'npm pnpm yarn bun pip pip3 uv poetry cargo go gem apt apt-get brew docker kubectl terraform'.split(' '),
)

/** What running these words does, as far as is known. */
export function effectsOfWords([program = '', ...rest]: readonly string[]): readonly Effect[] {
  const name = program.split('/').at(-1) ?? program
  const first = rest.find((word) => !word.startsWith('-')) ?? ''
  if (name === 'git') {
    if (GIT_REMOTE.test(first)) return ['execute', 'network']
    return GIT_READS.test(first) && !rest.some((word) => word.startsWith('--output'))
      ? ['read']
      : ['execute', 'write']
  }
  if (REACHES.has(name) || MANAGERS.has(name)) return ['execute', 'network']
  return READERS.has(name) ? ['read'] : ['execute']
}
