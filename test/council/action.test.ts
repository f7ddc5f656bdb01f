// The example of a GitHub Action, run step by step as a runner does: bash -e in a checkout, with the variables that the
// workflow gives each step out of the event. Only the seats are others, since no model is available: the named checks.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { BINARY, directory, ended, type Ran } from '../doors/command.ts'
import { projectRoot } from '../support/sources.ts'
import { repository } from './table.ts'

interface Step {
  readonly name?: string
  readonly run?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
}

const action = parse(readFileSync(join(projectRoot, 'examples/github-action/review.yml'), 'utf8'))
const steps: readonly Step[] = action.jobs.review.steps

/** What `${{ … }}` stands for; a secret that is not set is empty. */
function filled(text: string, context: object): string {
  return text.replace(
    /\$\{\{\s*([\w.]+)\s*\}\}/g,
    (_, path: string) =>
      path
        .split('.')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], context)
        ?.toString() ?? '',
  )
}

interface Checkout {
  readonly cwd: string
  readonly base: string
  readonly head: string
}

/** A repository in which a pull request changes one file. */
async function checkout(changed: string): Promise<Checkout> {
  const cwd = join(await directory(), 'checkout')
  await mkdir(cwd)
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
  await writeFile(join(cwd, 'shop.js'), 'export const price = 1\n')
  await writeFile(join(cwd, 'shop.test.js'), 'price === 1\n')
  repository(cwd)
  const base = git('rev-parse', 'HEAD')
  await writeFile(join(cwd, 'shop.js'), changed)
  await writeFile(join(cwd, 'shop.test.js'), 'price === 2\n')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-a', '-m', 'Change')
  return { cwd, base, head: git('rev-parse', 'HEAD') }
}

let tools: string
beforeAll(async () => {
  tools = await directory()
  const npx = `#!/bin/sh\n[ "$1 $2" = '--yes witan' ] || exit 64\nshift 2\nexec '${process.execPath}' '${BINARY}' "$@"\n`
  await writeFile(join(tools, 'npx'), npx, { mode: 0o755 })
})

async function runner({ cwd, base, head }: Checkout): Promise<(step: Step) => Promise<Ran>> {
  const pull_request = { base: { sha: base }, head: { sha: head, repo: { full_name: 'a/b' } } }
  const context = { github: { event: { pull_request }, repository: 'a/b' }, secrets: {} }
  const home = await directory()
  return async ({ run = '', env = {} }) => {
    const given = Object.entries(env).map(([name, value]) => [name, filled(value, context)])
    const file = join(home, 'step.sh')
    await writeFile(file, run.replace('--seats claude,openai,gemini', '--seats embedded'))
    const own = { PATH: `${tools}:${process.env.PATH}`, HOME: home, CI: 'true', LANG: 'C.UTF-8' }
    return ended(spawn('bash', ['-e', file], { cwd, env: { ...own, ...Object.fromEntries(given) } }))
  }
}

const [review, keep] = steps.filter(({ run }) => run !== undefined)

async function ran(changed: string) {
  const place = await checkout(changed)
  const run = await runner(place)
  if (!review || !keep) throw new Error('the workflow has no two steps to run')
  const gate = await run(review)
  const kept = await run(keep)
  return { gate, kept, at: (name: string) => join(place.cwd, name) }
}

describe('the example of a GitHub Action', () => {
  it('COU-X-5 has the steps that are run here, with seats that are exchanged here, and keeps the minutes anyway', () => {
    expect(review?.run).toContain('--seats claude,openai,gemini')
    expect(keep?.if).toBe('always()')
    expect(action.on).toBe('pull_request')
  })

  it('COU-X-5 closes the gate with 9 on a severe finding of the change, and leaves findings and minutes', async () => {
    const conflict = '<<<<<<< ours\nexport const price = 2\n=======\nexport const price = 3\n>>>>>>> theirs\n'
    const { gate, kept, at } = await ran(conflict)
    expect([gate.code, kept.code]).toEqual([9, 0])
    const sarif = JSON.parse(readFileSync(at('review.sarif'), 'utf8'))
    expect(JSON.stringify(sarif.runs[0].results)).toContain('"uri":"shop.js"')
    const verify = [BINARY, 'verify', at('review.witan'), '--trust', at('review.checkpoint'), '--json']
    const told = await ended(spawn(process.execPath, verify))
    expect([told.code, told.json.status]).toEqual([0, 'pass'])
  }, 60_000)

  it('COU-X-5 opens the gate with 0 on a change without one', async () => {
    const { gate, kept, at } = await ran('export const price = 2\n')
    expect([gate.code, kept.code, gate.stderr.includes('gate')]).toEqual([0, 0, false])
    expect(['review.sarif', 'review.checkpoint', 'review.witan'].map((name) => existsSync(at(name)))).toEqual(
      [true, true, true],
    )
  }, 60_000)
})
