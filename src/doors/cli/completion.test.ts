import { execFileSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BINARY, directory, newHome, witan } from '../../../test/doors/command.ts'
import { EXIT } from './command.ts'
import { COMMANDS } from './commands.ts'
import { commandHelp } from './help.ts'
import { VERBS } from './verbs.ts'

async function script(shell: string): Promise<string> {
  const { code, stdout } = await witan({ home: '/nowhere' }, 'completion', shell)
  expect(code).toBe(0)
  return stdout
}

describe('completion', () => {
  it('APP-2 in bash completes commands, their members, options and fixed words', async () => {
    const file = join(await directory(), 'witan.bash')
    await writeFile(file, await script('bash'))
    execFileSync('bash', ['-n', file])
    const complete = (...words: string[]): string[] => {
      const list = ['witan', ...words].map((word) => `'${word}'`).join(' ')
      const code = `source '${file}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _witan; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', code], { encoding: 'utf8' }).trim().split('\n')
    }
    expect(complete('')).toEqual(
      expect.arrayContaining(['init', 'list', 'keys', 'verify', 'help', '--version']),
    )
    expect(complete('ver')).toEqual(['verify'])
    expect(complete('keys', '')).toEqual(expect.arrayContaining(['list', 'add', 'rotate', 'revoke']))
    expect(complete('keys', 'add', 'ana', '--ro')).toEqual(['--role'])
    expect(complete('show', 'la')).toEqual(['last'])
    expect(complete('completion', 'z')).toEqual(['zsh'])
    expect(complete('council', 'Shall we?', '--mode', '')).toEqual(['ask', 'architecture', 'review'])
    expect(complete('--home', 'elsewhere', 'keys', 'ro')).toEqual(['rotate'])
    expect(complete('exchange', 'run', '--rounds', '')).toEqual([''])
    expect(complete('export', 'last', '--with')).toEqual(['--without-content'])
  })

  it('APP-2 offers the traces that there are, and the seats that can be named, in bash', async () => {
    const where = await newHome()
    await witan(where, 'ask', 'Shall we?', '--seats', 'embedded', '--quiet')
    const bin = await directory()
    await symlink(BINARY, join(bin, 'witan'))
    const file = join(bin, 'witan.bash')
    await writeFile(file, await script('bash'))
    const complete = (...words: string[]): string[] => {
      const list = ['witan', ...words].map((word) => `'${word}'`).join(' ')
      const code = `source '${file}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _witan; printf '%s\\n' "\${COMPREPLY[@]}"`
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: where.home, WITAN_HOME: where.home }
      return execFileSync('bash', ['-c', code], { encoding: 'utf8', env, cwd: bin }).trim().split('\n')
    }
    const shown = complete('show', '')
    expect(shown).toEqual(expect.arrayContaining(['last', 'registry', 'last:council']))
    const id = shown.find((word) => /^[0-9A-Z]{4,26}$/.test(word)) ?? ''
    expect((await witan(where, 'show', id, '--json')).code).toBe(0)
    expect(shown.filter((word) => word.startsWith('--'))).toEqual([])
    expect(complete('show', '--js')).toEqual(['--json'])
    expect(complete('ask', 'q', '--seats', 'cla')).toEqual(['claude'])
    expect(complete('ask', 'q', '--seats', 'openai,cla')).toEqual(['openai,claude'])
    await writeFile(join(where.home, 'config.yaml'), 'panels: {fast: {seats: [claude, openai]}}\n')
    expect(complete('ask', 'q', '--panel', '')).toEqual(['fast'])
  })

  it('APP-2 puts only what is missing behind a colon, where bash cuts words', async () => {
    const file = join(await directory(), 'witan.bash')
    await writeFile(file, await script('bash'))
    const line = 'witan show last:co'
    const code = `source '${file}'; witan() { echo last:council last:agents; }; COMP_WORDBREAKS=' :'
      COMP_WORDS=(witan show last : co); COMP_CWORD=4; COMP_LINE='${line}'; COMP_POINT=${line.length}; _witan
      printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(execFileSync('bash', ['-c', code], { encoding: 'utf8', cwd: await directory() }).trim()).toBe(
      'council',
    )
  })

  it('APP-2 knows every command in every shell', async () => {
    for (const shell of ['zsh', 'fish']) {
      const text = await script(shell)
      for (const { name } of COMMANDS) expect(text).toContain(name.split(' ').at(-1))
    }
    expect(await script('zsh')).toMatch(/^#compdef witan\n/)
    expect(await script('zsh')).toMatch(
      /if \[\[ \$funcstack\[1\] == _witan \]\]; then _bash_complete [^\n]+; fi\n$/,
    )
    expect(Object.keys(VERBS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
  })

  it('APP-2 stands beside help with every exit code, and an example for every command', async () => {
    const help = await witan({ home: '/nowhere' }, '--help')
    const overview = help.stdout.replace(/\s+/g, ' ')
    const [, told = ''] = /Exit codes: (.*) Examples:/.exec(overview) ?? []
    const documented = [...told.matchAll(/(?:^| )(\d+) [a-z]/g)].map(([, code]) => Number(code))
    expect(documented).toEqual(Object.values(EXIT).sort((a, b) => a - b))
    const printed = await witan({ home: '/nowhere' }, 'keys', 'add', '--help')
    for (const command of COMMANDS) {
      const { name, examples, about } = command
      const stdout = commandHelp(command)
      if (name === 'keys add') expect([printed.code, printed.stdout]).toEqual([0, stdout])
      expect(stdout).toContain(`Usage: witan ${name}`)
      expect(examples.length).toBeGreaterThan(0)
      for (const [line] of examples) expect(stdout).toContain(`  witan ${line}\n`)
      expect(overview).toContain(about)
    }
  })
})
