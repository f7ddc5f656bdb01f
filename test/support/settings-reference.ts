// The reference of `witan.yaml`, made from the shapes that judge it: every key, what it takes, and its default. A key
// without a description is a fault, so that none is added without one.

import { SENSITIVE } from '../../src/app/config/read.ts'
import { witanYaml } from '../../src/app/config/settings.ts'
import { formOf } from '../../src/app/config/yaml-shape.ts'
import { DEFAULT_POLICY } from '../../src/council/policy.ts'

/** What each key is for. `[]` stands for an entry of a list, `*` for a name of your own. */
export const MEANINGS: Readonly<Record<string, string>> = {
  council: 'the seats and rules of councils',
  panels: "saved councils, used with `--panel NAME`; in the home's own file, or in a trusted one",
  'panels.*': 'one panel, under a name of your own',
  'panels.*.seats': 'its seats',
  'panels.*.seats[].seat': 'the provider or model of the seat',
  'panels.*.seats[].count': 'how many seats this model takes',
  'panels.*.seats[].stance':
    'the role that the seat is told to take in its opinion and its review, but not when it chairs',
  'panels.*.seats[].temperature': 'sent to its model, in every round',
  'panels.*.seats[].thinking': 'how much its model thinks, in every round',
  'panels.*.chair': 'the seat that writes the report',
  'panels.*.budget': 'its limits; they override `council.budget`',
  'panels.*.budget.cost': 'make no more calls after this cost',
  'panels.*.budget.minutes': 'make no more calls after this time',
  'panels.*.timeout': 'how long each of its seats may be silent',
  'panels.*.short_circuit': 'whether rounds are skipped where the settings allow it',
  notify:
    "sends a notice when a decision is pending or a run is done: trace, event and the command to type, but no content; only in the home's own file",
  'notify.command':
    'a command that receives the notice as JSON on its standard input, and in WITAN_WHAT, WITAN_TRACE, WITAN_EVENT, WITAN_LINK',
  'notify.url': 'a webhook that the notice is posted to as JSON',
  'notify.on': 'which of the two sends a notice',
  'council.providers': 'the seats, in order; without it every model that is ready is asked',
  'council.providers[].name': 'the name of the provider; known vendors need nothing more',
  'council.providers[].role': 'whether it gives opinions, writes the report, or both',
  'council.providers[].model':
    "the vendor's id of the model; `witan doctor` lists the ids that a key may use",
  'council.providers[].transport': 'how it is reached; for this seat only',
  'council.providers[].api': 'the wire format of a provider of your own',
  'council.providers[].base_url': "the address of its API, if it is not the vendor's",
  'council.providers[].api_key_env': 'the variable that holds its key',
  'council.providers[].api_key_command': 'a command that prints its key',
  'council.providers[].executable': "the vendor's command, if it is not on the PATH",
  'council.providers[].context_window':
    'how many tokens its model reads and writes in one call; by default the value of the price list, else 128,000, or 32,000 for a server on this machine',
  'council.providers[].max_output_tokens':
    'how many tokens an answer may have, unless a call asks for fewer; by default what the vendor allows',
  'council.providers[].cache':
    'whether the vendor is asked to keep the shared context for further calls (Anthropic; writing costs a quarter more, reading a tenth)',
  'council.providers[].timeouts': 'how long this provider may be silent; overrides `council.timeouts`',
  'council.providers[].timeouts.each': 'in any call, also of agents and exchanges',
  'council.providers[].timeouts.r1': 'during an opinion',
  'council.providers[].timeouts.r2': 'during a review',
  'council.providers[].timeouts.r3': 'during the report',
  'council.providers[].timeouts.cli': "during any answer by the vendor's command",
  'council.providers[].mcp': 'a tool of an MCP server that answers for this seat',
  'council.providers[].mcp.server': 'its server, by its name in `mcp_servers`',
  'council.providers[].mcp.tool': 'its tool',
  'council.providers[].mcp.arguments': 'the arguments of the tool; `{prompt}` stands for the prompt',
  'council.providers[].mcp.reply': 'the places of values in the reply',
  'council.providers[].mcp.reply.text': 'the answer',
  'council.providers[].mcp.reply.model': 'the model that answered',
  'council.providers[].mcp.reply.stop_reason': 'why it stopped',
  'council.providers[].mcp.reply.input_tokens': 'the number of tokens that it read',
  'council.providers[].mcp.reply.output_tokens': 'the number of tokens that it wrote',
  'council.providers[].mcp.reply.cost': 'its cost',
  'council.transport': 'how all seats are reached, unless a seat says otherwise',
  'council.timeouts':
    'how long a seat may be silent: any byte counts, and a whole call may take five times as long',
  'council.timeouts.r1_per_provider': 'during an opinion',
  'council.timeouts.r2_per_provider': 'during a review',
  'council.timeouts.r3_chair': 'during the report',
  'council.timeouts.cli_per_call': "during any answer by a vendor's command",
  'council.timeouts.r1_round': 'for all opinions together; by default the sum of what the seats may take',
  'council.timeouts.r2_round': 'for all reviews together; by default the same',
  'council.timeouts.r3_round': 'for the report, by all chairs; by default the same',
  'council.quorum': 'how many answers are enough',
  'council.quorum.r1_min': 'opinions needed',
  'council.quorum.r2_min': 'reviews needed',
  'council.quorum.r1_min_responses': 'the same as `r1_min`',
  'council.quorum.r2_min_responses': 'the same as `r2_min`',
  'council.quorum.r3_required': 'whether a chair must write the report',
  'council.quorum.allow_partial': 'whether a seat may fail',
  'council.short_circuit': 'which rounds may be skipped, and when',
  'council.short_circuit.enabled': 'whether rounds may be skipped',
  'council.short_circuit.embeddings':
    'whether an encoder compares the recommendations; otherwise their words are compared',
  'council.short_circuit.conditions': 'the conditions for skipping a round',
  'council.short_circuit.conditions.skip_r2_if': 'for the reviews',
  'council.short_circuit.conditions.skip_r3_if': 'for the report by a chair',
  'council.budget': 'when to stop asking',
  'council.budget.cost': 'the cost of the whole council',
  'council.budget.minutes': 'the time of the whole council',
  'council.parts':
    'the largest number of parts in which round one may be asked, if the context is too long for one prompt to the smallest window',
  ca: "certificates of your company's own authority, trusted for API calls",
  timestamps: 'authorities that `witan attest` asks for RFC 3161 timestamps. Counts only in the home',
  'timestamps[].name': 'the name under which its timestamps are kept',
  'timestamps[].url': 'its address',
  'timestamps[].certificate': "its certificate, or its issuer's; relative to the home",
  witnesses: 'C2SP witnesses that `witan attest` asks to cosign the registry. Counts only in the home',
  'witnesses[].url': 'its submission prefix',
  'witnesses[].key': 'its verifier key, from its operator',
  otel: 'where finished traces go as OpenTelemetry spans. Counts only in the home',
  'otel.url': 'the collector: OTLP over HTTP, as `http://127.0.0.1:4318/v1/traces`',
  'otel.headers': 'headers to send; `$` and a name in braces takes a variable of yours',
  'otel.content': 'whether content is sent too; off unless you switch it on',
  mcp_servers: 'MCP servers, for seats and for tools of agents',
  'mcp_servers.*': 'one server: a command or an address',
  'mcp_servers.*.command': 'the program that serves on stdin and stdout, word by word',
  'mcp_servers.*.env': 'variables that it gets; `$` and a name in braces takes one of yours',
  'mcp_servers.*.pass': 'your variables that it gets unchanged',
  'mcp_servers.*.cwd': 'its working folder, relative to this file',
  'mcp_servers.*.url': 'its address',
  'mcp_servers.*.headers': 'headers to send; `$` and a name in braces takes a variable of yours',
  'mcp_servers.*.start_timeout': 'how long it may take to start',
  agents: 'what agents may access; see accountable-runbooks.md. Counts only in the home',
  'agents.policy': 'which calls need whose consent; a task can only make it stricter',
  'agents.roots': 'folders outside the workspace that may be read',
  'agents.commands': 'commands that may run in the sandbox, by their first words: `git log`',
  'agents.hosts': 'hosts that may be reached: `api.example.com`, `*.example.com`, `example.com:8443`',
  'agents.scripts': 'whether scripts may be given to a shell',
  'agents.network': 'whether commands have the network in their sandbox',
  'agents.unconfined': 'whether commands run without a sandbox',
  'agents.approvals_via_host': 'whether a person may decide through the host of an MCP server',
  'agents.approval_proof':
    'the proof that a person decides: an answer at a terminal, a passphrase, or a key from elsewhere',
  'agents.approvals_without_terminal': 'whether a key of this home may decide if there is no terminal',
  'agents.fallback': 'whether another proposal may follow one that failed',
  'agents.limits': 'what each sandbox may use: a command, or a server with all processes that it starts',
  'agents.limits.memory_mib': 'memory of all its processes together, and of each',
  'agents.limits.disk_mib': 'what it may add to the folders that it can write, and the size of one file',
  'agents.limits.temporary_mib': 'its `/tmp` and its home, each; they are in memory',
  'agents.limits.processes': 'how many processes it may have at once',
  'agents.servers':
    'what the tools of the `mcp_servers` in this same file do; a project or task cannot say it',
  'agents.servers.*': 'one server',
  'agents.servers.*.reads': 'its tools that only read, inside what it was granted: `search`, `get_*`',
  'agents.servers.*.writes': 'its tools that change things; if several lists match, the most severe counts',
  'agents.servers.*.destroys': 'its tools with effects that cannot be undone; they need a person',
  'agents.servers.*.believe_hints':
    'whether its own hints about other tools are trusted; otherwise those tools are unknown',
  'agents.servers.*.confined': 'false runs its program as you, outside any sandbox',
  'agents.servers.*.network': 'whether its program has the network in its sandbox',
  'agents.servers.*.folders': 'folders that its program needs, read-only',
  exchange: 'what a pool allows. Counts only in the home',
  'exchange.acts_via_host': 'whether an observer may act through the host of an MCP server',
  vault: 'where traces are stored, if not in the home',
  'vault.postgres': 'one PostgreSQL for several machines. Counts only in the home',
  'vault.artifacts':
    'where artifacts above a size are stored, if not in the database; see workers.md. Counts only in the home',
  'vault.artifacts.folder': 'a folder that all of these machines mount; WITAN_ARTIFACTS_FOLDER overrides it',
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
    'folder upwards, or the one that `--config` names; its keys override those of `config.yaml` in the home. `witan',
    'init --project` writes one with everything commented out. Errors in a file name line, column and key.',
    '',
    'A file that came with a clone cannot run anything: keys marked *trusted files only* count only after you read the',
    'file and typed `witan trust witan.yaml`, again after each change. A file never holds a key: it names the variable or',
    'the command that gives it.',
    '',
    '| key | what for | takes | default |',
    '|---|---|---|---|',
    ...settingKeys().map(row),
    '',
    '`[]` stands for an entry of a list, `*` for a name of your own.',
    '',
    '## Next',
    '',
    '- See the effect of your settings: `witan doctor`.',
    '- Name the models of a project: [choosing seats](choosing-seats.md).',
    '',
  ].join('\n')
