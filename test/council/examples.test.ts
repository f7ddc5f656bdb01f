import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { COMMANDS } from '../../src/doors/cli/commands.ts'
import { projectRoot } from '../support/sources.ts'

describe('the examples of councils', () => {
  it('APP-1 COU-E-1 the program holds a council and agrees with itself', () => {
    const out = execFileSync(process.execPath, [join(projectRoot, 'examples/council/run.js')], {
      encoding: 'utf8',
    })
    expect(out).toMatch(
      /council_opened[\s\S]*council_closed[\s\S]*adopt: Do it on Monday\.[\s\S]*as expected/,
    )
  })

  it('COU-X-5 the action gives the command only options that it has', () => {
    const action = parse(readFileSync(join(projectRoot, 'examples/github-action/review.yml'), 'utf8'))
    const steps: readonly { readonly run?: string }[] = action.jobs.review.steps
    const commands = steps.flatMap(({ run }) => (run?.includes('witan') ? [run.replaceAll('\\\n', ' ')] : []))
    expect(commands).toHaveLength(2)
    for (const command of commands) {
      const name = /witan (\w+)/.exec(command)?.[1]
      const options = COMMANDS.find((one) => one.name === name)?.options ?? []
      const known = options.flatMap(({ name: long, short }) => [`--${long}`, ...(short ? [`-${short}`] : [])])
      const used = [...command.replace('--yes', '').matchAll(/(?<=\s)-{1,2}[a-z][a-z-]*/g)].map(
        ([word]) => word,
      )
      expect(used.filter((word) => !known.includes(word))).toEqual([])
      expect(used.length).toBeGreaterThan(0)
    }
  })
})
