// The commands that put existing agent programs under the protocol, and remove them again.

import type { Command } from '../command.ts'

const TERMS = [
  {
    name: 'gate',
    about: 'hold every call until the policy, and a person where it asks for one, allow it',
  },
  { name: 'record', about: 'record every call and hold none up (default)' },
  { name: 'policy', value: 'NAME|FILE', about: 'strict, default, lenient (default), or a Cedar file' },
  { name: 'order', value: 'TEXT|FILE', about: 'the standing order under which the host works' },
  {
    name: 'tool',
    value: 'NAME',
    repeated: true,
    about: 'a tool that the order allows; `mcp__db__*` for many',
  },
  { name: 'wait', value: 'SECONDS', about: 'how long a call waits for a person (default: 50)' },
] as const

export const ATTACH_COMMANDS = [
  {
    name: 'attach',
    about: 'record and gate the tool calls of Claude Code, Codex or Gemini CLI',
    args: [{ name: 'HOST', choices: ['claude', 'codex', 'gemini', 'status'] }],
    options: [
      ...TERMS,
      { name: 'no-resident', about: 'start a process for every call; slower, and nothing stays running' },
      { name: 'project', about: 'in the settings of this folder instead of yours' },
      { name: 'managed', about: "in the administrator's settings, which users cannot override" },
      { name: 'settings', value: 'FILE', about: 'in this file, where the host keeps its settings elsewhere' },
    ],
    notes:
      'Edits the settings of the host: merged, with a copy of the file as it was beside it. `attach status` says what is\n' +
      'attached and whether the hooks are still in place. What the host does outside of its hooks is not seen.',
    examples: [
      ['attach claude', 'record what Claude Code does from now on'],
      ['attach claude --gate --policy default', 'and hold calls until the policy or a person allows them'],
      ['attach gemini --project --order "fix the tests"', 'in this folder alone, under a standing order'],
      ['attach status', 'what is attached, and whether the hooks are in place'],
    ],
  },
  {
    name: 'detach',
    about: 'take the hooks out of the settings of a host again',
    args: [{ name: 'HOST', choices: ['claude', 'codex', 'gemini'] }],
    options: [],
    notes:
      'Nothing else in the settings changes. Sessions that are open are closed with `witan agents close`.',
    examples: [['detach claude', 'from all settings in which this home attached it']],
  },
  {
    name: 'gateway',
    about: 'act as a proxy for an MCP server: same tools, every call recorded or gated',
    args: [{ name: 'SERVER', optional: true, repeated: true }],
    options: [
      { name: 'name', value: 'NAME', about: 'by which approved tools are remembered (default: gateway)' },
      {
        name: 'servers',
        value: 'FILE',
        about: 'several servers: mcp_servers of a witan.yaml, or mcpServers',
      },
      ...TERMS,
      { name: 'believe-hints', about: "take the server's word for which tools only read" },
      { name: 'pass', value: 'VARIABLE', repeated: true, about: 'a variable of yours that the server gets' },
      { name: 'sandbox', about: 'run the server in a sandbox that sees this folder alone' },
      { name: 'folder', value: 'DIR', repeated: true, about: 'show it this folder too; with --sandbox' },
      { name: 'network', about: 'give it the network; with --sandbox' },
      {
        name: 'approve',
        value: 'TOOL',
        repeated: true,
        about: 'start nothing; approve a tool that changed as it is now; `all` for every one',
      },
    ],
    notes:
      'Give it to a host in the place of the server: names, schemas and results stay as they are. A tool that its server\n' +
      'describes otherwise later is refused, where calls are gated, until a person approved it again. Prompts and resources\n' +
      'pass unrecorded.',
    examples: [
      ['gateway --name files -- npx -y @modelcontextprotocol/server-filesystem .', 'record its calls'],
      ['gateway --gate --sandbox --name db -- db-server', 'hold its calls, and run it in a sandbox'],
      ['gateway --servers servers.json', 'several servers behind one name'],
      ['gateway --name files --approve write_file', 'after its server changed the tool'],
    ],
  },
] as const satisfies readonly Command[]
