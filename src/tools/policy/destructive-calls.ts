// Whether a call destroys something: what cannot be restored by running something else. A list of known ways,
// not a proof; what it misses is still judged by its effects.

import type { ToolDefinition } from '../toolset.ts'
import type { Touched } from './touched.ts'

const DESTROYERS = new Set(
  'rm rmdir unlink shred dd truncate wipefs fdisk parted kill pkill killall shutdown reboot halt poweroff'.split(
    ' ',
  ),
)

/** The program, and which of its arguments destroy. */
const WAYS: Readonly<Record<string, RegExp>> = {
  git: /^(?:push|clean|reset|rebase|gc|prune|filter-branch|filter-repo|update-ref|branch -[dD]|tag -d|checkout (?:-f|--)|restore|stash (?:drop|clear)|reflog (?:expire|delete))\b/,
  find: /(?:^| )-(?:delete|exec|execdir|ok|okdir|fprint)\b/,
  npm: /^(?:publish|unpublish|deprecate|uninstall|prune)\b/,
  docker: /^(?:rm|rmi|kill|stop|system prune|volume (?:rm|prune)|container (?:rm|prune))\b/,
  kubectl: /^(?:delete|drain|replace|scale)\b/,
  terraform: /^(?:destroy|apply)\b/,
  chmod: /(?:^| )-R\b/,
  chown: /(?:^| )-R\b/,
  rsync: /--delete/,
  sqlite3: /\b(?:drop|delete|truncate)\b/i,
  psql: /\b(?:drop|delete|truncate)\b/i,
  mysql: /\b(?:drop|delete|truncate)\b/i,
}
const INTERPRETERS = new Set('sh bash dash zsh ksh fish env xargs sudo doas su nice timeout nohup'.split(' '))
const NAMED =
  /(?:^|[_.-])(?:delete|remove|drop|destroy|purge|truncate|wipe|erase|kill|reset|revoke|shutdown|overwrite)(?:$|[_.-])/i
const programOf = (word: string): string => word.split('/').at(-1) ?? word
/** A script for a shell is searched word by word: any destructive command in it counts. */
function destroys(argv: readonly string[]): boolean {
  const [first = '', ...rest] = argv
  const program = programOf(first)
  if (DESTROYERS.has(program) || program.startsWith('mkfs')) return true
  const line = rest.join(' ')
  if (WAYS[program]?.test(line)) return true
  if (!INTERPRETERS.has(program)) return false
  const words = line.split(/[\s;&|()`$'"{}]+/).filter((word) => word !== '' && !word.startsWith('-'))
  return words.some((_, at) => destroys(words.slice(at)))
}
const readsOnly = ({ effects }: ToolDefinition): boolean => effects.every((effect) => effect === 'read')
export function isDestructive(definition: ToolDefinition, touched: readonly Touched[]): boolean {
  if (definition.name === 'http.delete') return true
  if (touched.some((one) => one.kind === 'command' && destroys(one.argv))) return true
  if (definition.effects.includes('destroy')) return true
  // A statement that a tool only reads is better founded than its name.
  const isKnown = ['files', 'http', 'shell'].includes(definition.source) || readsOnly(definition)
  return !isKnown && NAMED.test(definition.name.slice(definition.source.length + 1))
}
