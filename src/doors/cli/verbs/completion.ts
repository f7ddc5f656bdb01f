// `witan completion`: a script for the shell, made from the table of commands, so that it offers only what
// exists. Names of traces and seats are requested from the command when they are needed. The words are our
// own and contain no character that a shell would interpret.

import { type Call, type Command, locationOf, type Option, type Verb } from '../command.ts'
import { COMMANDS, GLOBAL_OPTIONS } from '../commands.ts'

const options = (command: Command): string[] =>
  [...command.options, ...GLOBAL_OPTIONS].map(({ name }) => `--${name}`)

const groups = (): Map<string, Command[]> => {
  const commandsByGroup = new Map<string, Command[]>()
  for (const command of COMMANDS) {
    const [first = '', second] = command.name.split(' ')
    if (second) commandsByGroup.set(first, [...(commandsByGroup.get(first) ?? []), command])
  }
  return commandsByGroup
}

const firstWords = (): string[] => [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')), 'help']

/** What may follow the command in addition to options: fixed words, or names of traces. */
function operands(command: Command): string {
  const choices = command.args.flatMap((argument) => argument.choices ?? [])
  return [...choices, ...(takesTrace(command) ? ['last', 'registry'] : [])].join(' ')
}

const takesTrace = (command: Command): boolean => command.args.some(({ name }) => name.startsWith('TRACE'))

/** What the command is asked for where an option takes such a name. */
const namesOf = ({ name }: Option): string | null =>
  ({ seats: 'seats', chair: 'seats', panel: 'panels' })[name] ?? null

const takesFile = (command: Command): boolean => command.args.some(({ name }) => /FILE|PATH|TASK/.test(name))

/** As it can be typed. */
const spelling = ({ name, short }: Option): string => `--${name}${short ? `|-${short}` : ''}`

/** Options with a few fixed values are completed with those, options for files with files. */
const namesFile = ({ value, choices }: Option): boolean => !choices && /FILE|DIR|PATH|KEY/.test(value ?? '')

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function bash(): string {
  const cases = COMMANDS.map((command) => {
    return `    '${command.name}') words='${operands(command)}' options='${options(command).join(' ')}' ;;`
  })
  const members = [...groups()].map(
    ([group, commands]) =>
      `    ${group}) words='${commands.map(({ name }) => name.split(' ')[1]).join(' ')}' ;;`,
  )
  const valued = [...COMMANDS, { options: GLOBAL_OPTIONS }].flatMap(({ options: own }) =>
    own.filter(({ value }) => value),
  )
  const alternatives = (some: readonly Option[]): string => [...new Set(some.map(spelling))].join('|')
  const chosen = COMMANDS.flatMap(({ name, options: own }) =>
    own.flatMap((option) =>
      option.choices ? [`    '${name} --${option.name}') words='${option.choices.join(' ')}' ;;`] : [],
    ),
  )
  return `# bash completion for witan
_witan() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' options='' command='' word i
  COMPREPLY=()
  # Bash cuts words at colons, and puts what it is given behind the last one.
  local cut=''
  if [[ $COMP_WORDBREAKS == *:* && $COMP_LINE ]]; then
    word=\${COMP_LINE:0:COMP_POINT} word=\${word##* }
    [[ $word == *:* ]] && current=$word cut=\${word%"\${word##*:}"}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${alternatives(valued)}) ((i++)); continue ;;
      -*) continue ;;
    esac
    case $command in
      '') command=$word ;;
      ${[...groups().keys()].join('|')}) command="$command $word" ;;
    esac
  done
  case "$command $previous" in
${chosen.join('\n')}
  esac
  [[ $words ]] && { COMPREPLY=($(compgen -W "$words" -- "$current")); return; }
  case $previous in
    --seats) COMPREPLY=($(compgen -P "\${current%"\${current##*,}"}" -W "$(witan completion seats 2>/dev/null)" -- "\${current##*,}")); return ;;
    --chair) COMPREPLY=($(compgen -W "$(witan completion seats 2>/dev/null)" -- "$current")); return ;;
    --panel) COMPREPLY=($(compgen -W "$(witan completion panels 2>/dev/null)" -- "$current")); return ;;
    ${alternatives(valued.filter(namesFile))}) COMPREPLY=($(compgen -f -- "$current")); return ;;
    ${alternatives(valued.filter((option) => !namesFile(option) && namesOf(option) === null))}) return ;;
  esac
  case $command in
    '') words='${[...firstWords(), '--help', '--version'].join(' ')}' ;;
    help) words='${firstWords().join(' ')}' ;;
${[...members, ...cases].join('\n')}
  esac
  case $command in
    ${COMMANDS.filter(takesTrace)
      .map(({ name }) => quoted(name))
      .join('|')}) [[ $current == -* ]] || words="$words $(witan completion traces 2>/dev/null)" ;;
  esac
  # Options where they are asked for, or where nothing else can follow.
  [[ $current == -* || -z $words ]] && words="$words $options"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ $cut ]] && COMPREPLY=("\${COMPREPLY[@]#"$cut"}")
  case $command in
    ${COMMANDS.filter(takesFile)
      .map(({ name }) => quoted(name))
      .join('|')}) [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _witan witan
`
}

/** Sourced, or put into the fpath: there the first call is this file itself, which then has to answer too. */
function zsh(): string {
  return `#compdef witan
autoload -U +X bashcompinit && bashcompinit
${bash()}if [[ $funcstack[1] == _witan ]]; then _bash_complete -o filenames -F _witan; fi
`
}

function inFish(option: Option): string {
  const { name, short, value, choices, about } = option
  const asked = namesOf(option)
  const words = choices?.join(' ') ?? (asked && `(witan completion ${asked} 2>/dev/null)`)
  const valueFlags = words !== null ? ` -x -a ${quoted(words)}` : namesFile(option) ? ' -r -F' : ' -x'
  return `-l ${name}${short ? ` -s ${short}` : ''}${value ? valueFlags : ''} -d ${quoted(about)}`
}

function fish(): string {
  const lines = ['# fish completion for witan', 'complete -c witan -f']
  for (const command of COMMANDS) {
    const [first = '', second] = command.name.split(' ')
    const siblings = groups()
      .get(first)
      ?.map(({ name }) => name.split(' ')[1])
      .join(' ')
    const inside = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`
    if (second) {
      const open = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${siblings}`
      lines.push(`complete -c witan -n ${quoted(open)} -a ${second} -d ${quoted(command.about)}`)
    } else {
      lines.push(`complete -c witan -n __fish_use_subcommand -a ${first} -d ${quoted(command.about)}`)
    }
    if (operands(command))
      lines.push(`complete -c witan -n ${quoted(inside)} -a ${quoted(operands(command))}`)
    if (takesTrace(command))
      lines.push(`complete -c witan -n ${quoted(inside)} -a '(witan completion traces 2>/dev/null)'`)
    if (takesFile(command)) lines.push(`complete -c witan -n ${quoted(inside)} -F`)
    for (const option of command.options)
      lines.push(`complete -c witan -n ${quoted(inside)} ${inFish(option)}`)
  }
  for (const [group, commands] of groups()) {
    const about = `${commands.length} commands`
    lines.push(`complete -c witan -n __fish_use_subcommand -a ${group} -d ${quoted(about)}`)
  }
  for (const option of GLOBAL_OPTIONS) lines.push(`complete -c witan ${inFish(option)}`)
  return `${lines.join('\n')}\n`
}

const SCRIPTS: Readonly<Record<string, () => string>> = { bash, zsh, fish }

const MOST_TRACES = 100

/** As they can be typed: the shortest unique prefix, and the names that mean the newest of each kind. */
async function traceNames(call: Call): Promise<readonly string[]> {
  const [{ listTraces }, { shortIds }] = await Promise.all([
    import('../../../app/traces/list-traces.ts'),
    import('../../../render/trace-list.ts'),
  ])
  const all = await listTraces(locationOf(call))
  const kinds = new Set(
    all.map(({ protocol }) => protocol.split('/')[0] ?? '').filter((kind) => kind !== 'registry'),
  )
  const names = shortIds(all.map(({ trace }) => trace))
  const newest = all.slice(0, MOST_TRACES).map(({ trace }) => names.get(trace) ?? trace)
  return [...[...kinds].map((kind) => `last:${kind}`), ...newest]
}

/** Null where they cannot be read: completion offers none. */
async function readSettings({ home, text }: Call) {
  const { loadSettings } = await import('../../../app/config/config.ts')
  return loadSettings({ home, from: process.cwd(), file: text('config') }).catch(() => null)
}

const panelNames = async (call: Call): Promise<readonly string[]> =>
  Object.keys((await readSettings(call))?.panels ?? {})

async function seatNames(call: Call): Promise<readonly string[]> {
  const { PROVIDERS } = await import('../../../app/config/provider.ts')
  const settings = await readSettings(call)
  const configured = (settings?.council.providers ?? []).map(({ name }) => name)
  return [...new Set([...configured, ...Object.keys(PROVIDERS), 'embedded'])]
}

/** The answer to a shell's request: nothing where there is no home yet. */
const NAMES: Readonly<Record<string, (call: Call) => Promise<readonly string[]>>> = {
  traces: (call) => traceNames(call).catch(() => []),
  seats: seatNames,
  panels: panelNames,
}

export const run: Verb = async (call) => {
  const { args } = call
  const shell = args[0] ?? ''
  const names = await NAMES[shell]?.(call)
  if (names) return { value: { [shell]: names }, lines: names }
  const script = SCRIPTS[shell]?.() ?? ''
  return { value: { shell, script }, lines: [script.trimEnd()] }
}
