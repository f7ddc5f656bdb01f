// The reference of `witan.yaml`, made from the shapes that judge it: every key there is, what it takes, what holds when
// no one says anything. A key without words of its own is a fault, so that none is added without being explained.

import { SENSITIVE } from '../../src/app/config/read.ts'
import { witanYaml } from '../../src/app/config/settings.ts'
import { formOf } from '../../src/app/config/yaml-shape.ts'
import { DEFAULT_POLICY } from '../../src/council/policy.ts'

/** What each key is for. `[]` stands for an entry of a list, `*` for a name of one's own. */
export const MEANINGS: Readonly<Record<string, string>> = {
  council: 'who sits in a council, and by which rules',
  panels:
    "councils that are asked for by name, with `--panel NAME`; in the home's own file, or in one that is trusted",
  'panels.*': 'one of them, under a name of your own',
  'panels.*.seats': 'who sits there',
  'panels.*.seats[].seat': 'whose seat it is',
  'panels.*.seats[].count': 'how often it sits',
  'panels.*.seats[].stance':
    'the part that it is told to take, in its opinion and its review; not where it chairs',
  'panels.*.seats[].temperature': 'sent to its model, in every round',
  'panels.*.seats[].thinking': 'how long its model is to think, in every round',
  'panels.*.chair': 'who writes the report',
  'panels.*.budget': 'what it may take, over `council.budget`',
  'panels.*.budget.cost': 'make no more calls once this much is spent',
  'panels.*.budget.minutes': 'make no more calls after this long',
  'panels.*.timeout': 'how long any of its seats may be silent',
  'panels.*.short_circuit': 'whether rounds are skipped where the settings allow it',
  notify:
    "who is told when something waits for a person or is done: trace, event and what to type, and no content; only in the home's own file",
  'notify.command':
    'a command that is given the notice as JSON on its standard input, and in WITAN_WHAT, WITAN_TRACE, WITAN_EVENT, WITAN_LINK',
  'notify.url': 'a webhook that the notice is posted to as JSON',
  'notify.on': 'of which of the two',
  'council.providers': 'the seats, in order; without it every model that is ready is asked',
  'council.providers[].name': 'whose seat it is; known vendors need nothing more',
  'council.providers[].role': 'whether it gives opinions, writes the report, or both',
  'council.providers[].model': "the vendor's id of the model; `witan doctor` lists what a key may use",
  'council.providers[].transport': 'how it is reached, for this seat alone',
  'council.providers[].api': 'which wire format a provider of your own speaks',
  'council.providers[].base_url': 'where its API is, when not at the vendor',
  'council.providers[].api_key_env': 'the variable that holds its key',
  'council.providers[].api_key_command': 'a command that prints its key',
  'council.providers[].executable': "the vendor's command, when not on the PATH",
  'council.providers[].context_window':
    'how many tokens its model reads and writes in one call; without it what the price list says, else 128,000, or 32,000 for a server on this machine',
  'council.providers[].max_output_tokens':
    'how many tokens an answer may have, where nothing asks for fewer; without it what the vendor allows',
  'council.providers[].cache':
    'whether the vendor is asked to keep the shared context for further askings (Anthropic; writing costs a quarter more, reading a tenth)',
  'council.providers[].timeouts': 'how long this provider may be silent; over `council.timeouts`',
  'council.providers[].timeouts.each': 'in any call, also of agents and exchanges',
  'council.providers[].timeouts.r1': 'over an opinion',
  'council.providers[].timeouts.r2': 'over a review',
  'council.providers[].timeouts.r3': 'over the report',
  'council.providers[].timeouts.cli': "over any answer by the vendor's command",
  'council.providers[].mcp': 'a tool of an MCP server that answers for this seat',
  'council.providers[].mcp.server': 'which of `mcp_servers`',
  'council.providers[].mcp.tool': 'which of its tools',
  'council.providers[].mcp.arguments': 'what the tool is given; `{prompt}` stands for the prompt',
  'council.providers[].mcp.reply': 'where in the reply things stand',
  'council.providers[].mcp.reply.text': 'the answer',
  'council.providers[].mcp.reply.model': 'the model that answered',
  'council.providers[].mcp.reply.stop_reason': 'why it stopped',
  'council.providers[].mcp.reply.input_tokens': 'what it read',
  'council.providers[].mcp.reply.output_tokens': 'what it wrote',
  'council.providers[].mcp.reply.cost': 'what it cost',
  'council.transport': 'how all seats are reached, unless one says otherwise',
  'council.timeouts':
    'how long a seat may be silent: any byte counts, and a whole call may take five times as long',
  'council.timeouts.r1_per_provider': 'over an opinion',
  'council.timeouts.r2_per_provider': 'over a review',
  'council.timeouts.r3_chair': 'over the report',
  'council.timeouts.cli_per_call': "over any answer by a vendor's command",
  'council.timeouts.r1_round': 'all opinions together; else what the seats may take one after the other',
  'council.timeouts.r2_round': 'all reviews together; else the same',
  'council.timeouts.r3_round': 'the report, by all chairs; else the same',
  'council.quorum': 'when there is enough to go on',
  'council.quorum.r1_min': 'opinions needed',
  'council.quorum.r2_min': 'reviews needed',
  'council.quorum.r1_min_responses': 'the same as `r1_min`',
  'council.quorum.r2_min_responses': 'the same as `r2_min`',
  'council.quorum.r3_required': 'whether a chair must write the report',
  'council.quorum.allow_partial': 'whether a seat may fail',
  'council.short_circuit': 'which rounds may be left out, and when',
  'council.short_circuit.enabled': 'whether any may',
  'council.short_circuit.embeddings':
    'whether an encoder compares the recommendations; otherwise their words are compared',
  'council.short_circuit.conditions': 'under which conditions',
  'council.short_circuit.conditions.skip_r2_if': 'for the reviews',
  'council.short_circuit.conditions.skip_r3_if': 'for the report by a chair',
  'council.budget': 'where to stop asking',
  'council.budget.cost': 'in all',
  'council.budget.minutes': 'in all',
  'council.parts':
    'in how many parts round one may be asked where what is laid before it is longer than a prompt to its smallest window',
  ca: 'certificates of an authority of your own, trusted for API calls',
  timestamps: 'authorities that `witan attest` asks for RFC 3161 timestamps. Counts in the home alone',
  'timestamps[].name': 'under which its timestamps are kept',
  'timestamps[].url': 'where it answers',
  'timestamps[].certificate': 'its certificate, or that of who issued it; from the home',
  witnesses: 'C2SP witnesses that `witan attest` asks to cosign the registry. Counts in the home alone',
  'witnesses[].url': 'its submission prefix',
  'witnesses[].key': 'its verifier key, from who runs it',
  otel: 'where finished traces go as OpenTelemetry spans. Counts in the home alone',
  'otel.url': 'the collector: OTLP over HTTP, as `http://127.0.0.1:4318/v1/traces`',
  'otel.headers': 'what is sent along; `$` and a name in braces takes a variable of yours',
  'otel.content': 'whether what was said goes too; off unless you say so',
  mcp_servers: 'MCP servers, for seats and for tools of agents',
  'mcp_servers.*': 'one server: a command or an address',
  'mcp_servers.*.command': 'the program that serves on stdin and stdout, word by word',
  'mcp_servers.*.env': 'variables it gets; `$` and a name in braces takes one of yours',
  'mcp_servers.*.pass': 'your variables that it gets as they are',
  'mcp_servers.*.cwd': 'where it runs, from this file',
  'mcp_servers.*.url': 'where it listens',
  'mcp_servers.*.headers': 'what is sent along; `$` and a name in braces takes a variable of yours',
  'mcp_servers.*.start_timeout': 'how long it may take to start',
  agents: 'what agents may touch; see accountable-runbooks.md. Counts in the home alone',
  'agents.policy': 'which calls need whose consent; a task can only tighten it',
  'agents.roots': 'folders beside the workspace that may be read',
  'agents.commands': 'commands that may run in the sandbox, as they begin: `git log`',
  'agents.hosts': 'hosts that may be reached: `api.example.com`, `*.example.com`, `example.com:8443`',
  'agents.scripts': 'whether a text may be given to a shell',
  'agents.network': 'whether commands have the network in their sandbox',
  'agents.unconfined': 'whether commands run without a sandbox',
  'agents.approvals_via_host': 'whether a person may decide through the host of an MCP server',
  'agents.approval_proof':
    'what shows that a person decides: an answer at a terminal, a passphrase, or a key from elsewhere',
  'agents.approvals_without_terminal':
    'whether a key of this home may decide where no terminal shows a person',
  'agents.fallback': 'whether another proposal may follow one that failed',
  'agents.limits': 'how much of the machine each sandbox may take: a command, or a server with all it starts',
  'agents.limits.memory_mib': 'memory of all its processes together, and of each',
  'agents.limits.disk_mib': 'what it may add to the folders it can write, and the size of one file',
  'agents.limits.temporary_mib': 'its `/tmp` and its home, each; they lie in memory',
  'agents.limits.processes': 'how many processes it may have at once',
  'agents.servers': 'what you say of the `mcp_servers` of this very file; a project or task cannot',
  'agents.servers.*': 'one of them',
  'agents.servers.*.reads': 'its tools that only read, inside what it was granted: `search`, `get_*`',
  'agents.servers.*.writes': 'its tools that change things; of several lists the gravest counts',
  'agents.servers.*.destroys': 'its tools whose work cannot be undone; they need a person',
  'agents.servers.*.believe_hints':
    'whether what it says of its other tools is believed; else they are unknown',
  'agents.servers.*.confined': 'false runs its program as you, outside any sandbox',
  'agents.servers.*.network': 'whether its program has the network in its sandbox',
  'agents.servers.*.folders': 'folders that its program needs, read-only',
  exchange: 'what a pool allows. Counts in the home alone',
  'exchange.acts_via_host': 'whether an observer may act through the host of an MCP server',
  vault: 'where minutes rest, when not in the home',
  'vault.postgres': 'one PostgreSQL for several machines. Counts in the home alone',
  'vault.artifacts':
    'where artifacts beyond a size lie, when not in the database; see workers.md. Counts in the home alone',
  'vault.artifacts.folder':
    'a folder that all of these machines mount; WITAN_ARTIFACTS_FOLDER comes before it',
  'vault.artifacts.above_kib': 'the size up to which they stay in the database',
}

const OWN_DEFAULTS: Readonly<Record<string, string>> = {
  'council.parts': '`16`',
  'vault.artifacts.above_kib': '`8192`',
  'agents.policy': '`default`',
  'agents.fallback': '`true`',
  'agents.limits.memory_mib': '`4096`',
  'agents.limits.disk_mib': '`4096`',
  'agents.limits.temporary_mib': '`512`',
  'agents.limits.processes': '`64`',
  'agents.servers.*.confined': '`true`',
}
const isOff = (path: string, says: string): boolean =>
  /^(agents|exchange)\./.test(path) && says.includes('`false`')

function defaultOf(path: string, says: string): string {
  const [section, ...keys] = path.split('.')
  const own = OWN_DEFAULTS[path] ?? (isOff(path, says) ? '`false`' : undefined)
  if (own !== undefined) return own
  if (section !== 'council') return ''
  let value: unknown = DEFAULT_POLICY
  for (const key of keys) value = (value as Record<string, unknown> | null | undefined)?.[key]
  if (value === undefined || (typeof value === 'object' && !Array.isArray(value))) return ''
  if (section === 'council' && keys[0] === 'timeouts' && typeof value === 'number')
    return `\`${value / 1_000}s\``
  return `\`${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}\``
}

/** Every key below a shape with what it takes. */
function* keysOf(shape: object, path: string): Generator<{ path: string; says: string; needed: boolean }> {
  const { fields = {}, each, needs = [] } = formOf(shape)
  for (const [name, inner] of Object.entries(fields)) {
    const own = path === '' ? name : `${path}.${name}`
    const { says, each: entries } = formOf(inner)
    const isSections = entries !== undefined && formOf(entries).fields !== undefined
    yield {
      path: own,
      says: isSections ? says.replace(': a section', ' of entries') : says,
      needed: needs.includes(name),
    }
    yield* keysOf(inner, own)
  }
  if (each === undefined || formOf(each).fields === undefined) return
  const isNamed = formOf(shape).says.startsWith('entries')
  const own = isNamed ? `${path}.*` : `${path}[]`
  if (isNamed) yield { path: own, says: formOf(each).says, needed: false }
  yield* keysOf(each, own)
}

export const settingKeys = (): readonly { path: string; says: string; needed: boolean }[] => [
  ...keysOf(witanYaml, ''),
]

const row = ({ path, says, needed }: ReturnType<typeof settingKeys>[number]): string => {
  const guarded = SENSITIVE.includes(path.split('.').at(-1) ?? '') ? ' (trusted files only)' : ''
  const cells = [
    `\`${path}\`${needed ? ' (needed)' : ''}`,
    `${MEANINGS[path] ?? ''}${guarded}`,
    says,
    defaultOf(path, says),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

export const configurationReference = (): string =>
  [
    '# Configuration',
    '',
    '<!-- Made by `npm run docs:configuration` from the shapes that judge the file. Do not edit. -->',
    '',
    'Witan needs no configuration. To change a default, write a `witan.yaml`. Witan reads the nearest one from the current',
    'folder upwards, or the one that `--config` names; its keys count before those of `config.yaml` in the home. `witan',
    'init --project` writes one with everything commented out. Errors in a file name line, column and key.',
    '',
    'A file that came with a clone cannot run anything: keys marked *trusted files only* count after you read the file',
    'and typed `witan trust witan.yaml`, and again after each change. A file never holds a key: it names the variable or',
    'the command that has it.',
    '',
    '| key | what for | takes | default |',
    '|---|---|---|---|',
    ...settingKeys().map(row),
    '',
    '`[]` stands for an entry of a list, `*` for a name of your own.',
    '',
    '## Next',
    '',
    '- See what your settings come to: `witan doctor`.',
    '- Name the models of a project: [choosing seats](choosing-seats.md).',
    '',
  ].join('\n')
