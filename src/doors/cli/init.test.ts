import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory, newHome, witan } from '../../../test/doors/command.ts'
import { configurationReference, MEANINGS, settingKeys } from '../../../test/support/settings-reference.ts'
import { projectRoot } from '../../../test/support/sources.ts'
import { readYaml } from '../../app/config/read.ts'
import { projectTemplate } from '../../app/config/template.ts'

describe('the first settings file', () => {
  it('APP-6 is valid as it is, and with every comment removed', async () => {
    expect((await readYaml('a.yaml', Buffer.from(projectTemplate))).settings).toEqual({})
    const [, body = ''] = projectTemplate.split('\n\n')
    const live = projectTemplate.slice(projectTemplate.indexOf(body)).replaceAll(/^# ?/gm, '')
    const { settings, sensitive } = await readYaml('a.yaml', Buffer.from(live))
    expect(settings.council?.providers?.map(({ name }) => name)).toEqual(['claude', 'openai', 'local'])
    expect(settings.council).toMatchObject({ budget: { cost: 1 }, short_circuit: { enabled: false } })
    expect(sensitive).toEqual([])
  })

  it('APP-6 is written by init if that is wanted, and never over an existing file', async () => {
    const where = await newHome()
    const file = join(where.cwd, 'witan.yaml')
    await expect(stat(file)).rejects.toThrow('ENOENT')
    const made = await witan(where, 'init', '--project')
    expect(made.code).toBe(0)
    expect(made.stdout).toContain('Wrote witan.yaml')
    expect(await readFile(file, 'utf8')).toBe(projectTemplate)
    await writeFile(file, 'council: {}\n')
    const again = await witan(where, 'init', '--project', '--yes')
    expect(again.stdout).toContain('stays as it is')
    expect(await readFile(file, 'utf8')).toBe('council: {}\n')
  })
})

describe('the reference of settings', () => {
  it('APP-6 explains every key that exists, and no other', () => {
    expect(Object.keys(MEANINGS).sort()).toEqual(
      settingKeys()
        .map(({ path }) => path)
        .sort(),
    )
  })

  it('APP-6 is the one in docs', async () => {
    const written = await readFile(join(projectRoot, 'docs/configuration.md'), 'utf8')
    expect(written, 'npm run docs:configuration writes it').toBe(configurationReference())
  })
})

describe('a user who types only witan', () => {
  it('APP-2 learns of the three protocols, within 80 columns', async () => {
    const { stdout, code } = await witan({ home: join(await directory(), 'none') })
    expect(code).toBe(0)
    for (const name of [
      'witan ask',
      'witan review',
      'witan agents run',
      'witan exchange chat --demo',
      'witan init',
    ])
      expect(stdout).toContain(name)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
