// Wrong usages as people make them: each ends with its code, says in plain words what was wrong, and names what to type
// next. None is a dead end, and none does something else instead.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newHome, type Ran, type Where, witan } from './command.ts'

type Row = readonly [command: string, exit: 2 | 5 | 7, code: string, next: RegExp]

/** Words are parted at blanks; `last` is a finished council of the named checks. */
const ROWS: readonly Row[] = [
  ['frobnicate', 2, 'USAGE', /`witan --help`/],
  ['lsit', 2, 'USAGE', /Did you mean `witan list`/],
  ['--frobnicate', 2, 'USAGE', /`witan --help`/],
  ['agents', 2, 'USAGE', /`witan agents --help`/],
  ['agents frob', 2, 'USAGE', /run, pending, approve/],
  ['list --home plain.txt', 2, 'FILE_EXISTS', /--home/],
  ['keys', 2, 'USAGE', /`witan keys --help`/],
  ['exchange', 2, 'USAGE', /`witan exchange --help`/],
  ['ask', 2, 'USAGE', /witan ask "/],
  ['ask a b', 2, 'USAGE', /`witan ask --help`/],
  ['ask q --seat claude', 2, 'USAGE', /Did you mean --seats/],
  ['ask q --seats clade', 2, 'USAGE', /Did you mean claude/],
  ['ask q --seats claude', 2, 'CONFIG_INVALID', /`witan doctor`/],
  ['ask q --chair claude', 2, 'CONFIG_INVALID|USAGE', /witan doctor/],
  ['ask q --panel fast', 2, 'USAGE', /panels: \{NAME: \{seats/],
  ['ask q --panel fast --seats claude', 2, 'USAGE', /one of the two/],
  ['ask q --mode quick', 2, 'USAGE', /`witan ask --help`/],
  ['ask q --format pdf', 2, 'USAGE', /one of: text, md/],
  ['ask q --budget 3', 2, 'USAGE', /^next: See `witan ask --help`\. ?$/],
  ['ask q --max-cost free', 2, 'USAGE', /like 0\.50/],
  ['ask q --max-cost -1', 2, 'USAGE', /--name=VALUE/],
  ['ask q --timeout soon', 2, 'USAGE', /like 90s/],
  ['ask q --context nowhere.md', 7, 'FILE_NOT_FOUND', /folder you are in/],
  ['council q --mode review --seats embedded --fail-on high', 2, 'USAGE', /witan review --fail-on SEVERITY/],
  ['ask q --fail-on sometimes', 2, 'USAGE', /one of: critical, high/],
  ['ask q --config missing.yaml', 7, 'FILE_NOT_FOUND', /path/],
  ['ask q --config broken.yaml', 2, 'CONFIG_INVALID', /Correct this place/],
  ['ask q --config value.yaml', 2, 'CONFIG_INVALID', /60s, 2m or 1h/],
  ['ask q --config key.yaml', 2, 'CONFIG_INVALID', /Did you mean 'council'/],
  ['ask q --config provider.yaml', 2, 'CONFIG_INVALID', /Known are: claude/],
  ['ask q --follow nothere', 7, 'TRACE_NOT_FOUND', /`witan list`/],
  ['ask q --parts none', 2, 'USAGE', /--preview/],
  ['ask q -o', 2, 'USAGE', /`witan ask --help`/],
  ['council', 2, 'USAGE', /witan council "/],
  ['council q --mode fast', 2, 'USAGE', /one of: ask, architecture, review/],
  ['review a..b', 2, 'NOT_A_REPOSITORY', /witan review src/],
  ['report', 2, 'USAGE', /`witan report --help`/],
  ['report nothere', 7, 'TRACE_NOT_FOUND', /`witan list`/],
  ['report registry', 2, 'USAGE', /`witan show /],
  ['report last --format pdf', 2, 'USAGE', /one of: text/],
  ['show last 999', 7, 'EVENT_NOT_FOUND', /from 0 to/],
  ['show last x', 2, 'USAGE', /decimal digits/],
  ['show plain.txt', 7, 'BUNDLE_FOREIGN|BUNDLE_TRUNCATED', /whole|witan export/],
  ['verify', 2, 'USAGE', /`witan verify --help`/],
  ['verify nothere.witan', 7, 'FILE_NOT_FOUND', /path/],
  ['verify not.witan', 7, 'BUNDLE_FOREIGN', /`witan export`/],
  ['verify last --trust nokey', 7, 'FILE_NOT_FOUND', /key id or public key/],
  ['export last', 2, 'USAGE', /`witan export last -o .*`witan export --help`/],
  ['export last -o nowhere/x.witan', 7, 'FILE_NOT_FOUND', /Make the directory/],
  ['export last -o x.witan --dsse --sigstore', 2, 'USAGE', /one form/],
  ['export last --html', 2, 'USAGE', /`witan export last -o report\.html`/],
  ['export last --dsse', 2, 'USAGE', /`witan export last --dsse -o report\.jsonl/],
  ['export all -o x.witan', 2, 'USAGE', /witan export all --flat -o councils\.jsonl/],
  ['prove last', 2, 'USAGE', /`witan prove --help`/],
  ['resume nothere', 7, 'TRACE_NOT_FOUND', /`witan list`/],
  ['retry last', 2, 'USAGE', /`witan fork \w+ --after R1/],
  ['abort last', 2, 'USAGE', /`witan abort --help`/],
  ['abort last --reason done', 5, 'TRACE_FINISHED', /`witan report \w+`/],
  ['fork last', 2, 'USAGE', /`witan fork --help`/],
  ['fork last --after R9', 2, 'USAGE', /R1, R2 or the number/],
  ['redact last', 2, 'USAGE', /`witan redact --help`/],
  ['redact last 999 --reason x', 7, 'EVENT_NOT_FOUND', /`witan show \w+`/],
  ['find', 2, 'USAGE', /For example: `witan find .*`witan find --help`/],
  ['costs --by moon', 2, 'USAGE', /one of: day, seat/],
  ['keys add ana', 2, 'USAGE', /`witan keys add --help`/],
  ['keys add ana --role boss', 2, 'USAGE', /--role critic/],
  ['keys rotate zoe', 7, 'KEY_NOT_FOUND', /`witan keys list`/],
  ['agents run missing.yaml', 7, 'FILE_NOT_FOUND', /path/],
  ['agents run task.yaml', 2, 'CONFIG_INVALID', /proposals:|roles\.planner/],
  ['agents run misfit.yaml', 2, 'CONFIG_INVALID', /It takes path, offset \(may be left out\)/],
  ['agents approve last p1', 2, 'USAGE', /`witan agents approve --help`/],
  ['exchange run', 2, 'USAGE', /`witan exchange run TRACE`/],
  ['exchange run terms.yaml', 2, 'USAGE', /witan exchange run --terms terms\.yaml/],
  ['exchange status', 7, 'TRACE_NOT_FOUND', /witan exchange run --demo/],
  ['exchange map last -o map.pdf', 2, 'USAGE', /map\.html or map\.svg/],
  ['exchange run --demo --rounds many', 2, 'USAGE', /decimal digits/],
  ['eval missing.jsonl', 7, 'FILE_NOT_FOUND', /path/],
  ['trust missing.yaml', 7, 'FILE_NOT_FOUND', /path/],
  ['completion tcsh', 2, 'USAGE', /one of: bash, zsh, fish/],
  ['mcp --tools everything', 2, 'USAGE', /one of: council/],
  ['worker', 2, 'USAGE', /WITAN_POSTGRES_URL/],
  ['attach emacs', 2, 'USAGE', /one of: claude, codex, gemini/],
  ['demo councils', 2, 'USAGE', /one of: council, agents, exchange/],
  ['prune --before soon --reason x', 2, 'USAGE', /like 2026-11-01/],
  ['outcome last', 2, 'USAGE', /`witan outcome --help`/],
]

const FILES: Readonly<Record<string, string>> = {
  'broken.yaml': 'council:\n  providers: [\n',
  'value.yaml': 'council: {timeouts: {r1_per_provider: soon}}\n',
  'key.yaml': 'counsil: {}\n',
  'provider.yaml': 'council: {providers: [{name: acme}]}\n',
  'task.yaml': 'objective: x\n',
  'misfit.yaml': `objective: x
tools: [files.read]
proposals:
  - {objective: y, steps: [{id: a, tool: files.read, input: {pth: x}, justification: z}]}
`,
  'not.witan': '{"a":1}\n',
  'plain.txt': 'hello\n',
}

/** So many at once: starting a program is most of what each takes. */
const AT_ONCE = 4

describe('APP-11 wrong usages', () => {
  let where: Where & { readonly cwd: string }
  const ran = new Map<string, Ran>()

  beforeAll(async () => {
    where = await newHome()
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(where.cwd, name), text)
    expect((await witan(where, 'ask', 'Shall we?', '--seats', 'embedded', '--quiet')).code).toBe(0)
    const waiting = ROWS.map(([command]) => command)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let command = waiting.shift(); command !== undefined; command = waiting.shift())
          ran.set(command, await witan(where, ...command.split(' ')))
      }),
    )
  }, 240_000)

  it('are at least sixty', () => expect(ROWS.length).toBeGreaterThanOrEqual(60))

  it('record nothing', async () => {
    const { stdout } = await witan(where, 'list', '--json')
    const { traces } = JSON.parse(stdout) as { traces: readonly { readonly protocol: string }[] }
    expect(traces.map(({ protocol }) => protocol).sort()).toEqual(['council/1', 'registry/1'])
  })

  it.each(ROWS)('witan %s', (command, exit, code, next) => {
    const { code: left, stdout, stderr } = ran.get(command) ?? { code: null, stdout: '', stderr: '' }
    const [, said, words = ''] = /^error ([A-Z_]+): (.*)$/m.exec(stderr) ?? []
    expect(`${left} ${said}`).toMatch(new RegExp(`^${exit} (?:${code})$`))
    expect(stdout).toBe('')
    expect(words).toMatch(/^[^A-Z]|^[A-Z]+_|^[A-Z0-9]{26} |^SEQ|^SHELL|^HOST|^WHAT/)
    expect(words).not.toMatch(/\.$|whoever|whatever|nobody|upon|whom/)
    expect(stderr.slice(stderr.indexOf('next: ')).replace(/\s+/g, ' ')).toMatch(next)
    expect(stderr).not.toMatch(/\bat .*\.js:\d|undefined|\[object/)
  })
})
