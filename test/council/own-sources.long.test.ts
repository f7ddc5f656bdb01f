// A review of this repository's own sources by three models with windows of 200,000, 128,000 and 32,000 tokens: every file
// is in some call of every seat, or the report says on top which were not. Prints calls, tokens and cost before and after.

import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wordsIn } from '../fakes/scripted-server.ts'
import { machine } from './table.ts'

const ROOT = join(import.meta.dirname, '../..')
const WINDOWS = { 'claude-sonnet-4-5': 200_000, 'gpt-4o': 128_000, 'gpt-4': 32_000 } as const

interface Preview {
  readonly portions: number
  readonly unseen: readonly { readonly path: string }[]
  readonly total: { readonly tokens: number }
  readonly estimate: {
    readonly calls: number
    readonly tokens_in: number
    readonly tokens_out: number
    readonly cost: number | null
  }
}

interface Ran {
  readonly trace: string
  readonly report: { readonly notices: readonly string[] }
  readonly metrics: { readonly calls: number; readonly total_cost_estimate: number | null }
}

async function sources(): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(ROOT.length + 1)] : [],
  )
}

describe('a review of the own sources', () => {
  it.each([16, 200])(
    'COU-P-4 in at most %i parts shows each file to each seat, or names it',
    async (parts) => {
      const tooLong = { act: 'error', kind: 'context_too_long', message: 'maximum context length exceeded' }
      const names = Object.keys(WINDOWS)
      const heard = new Map<string, string[]>(names.map((name) => [name, []]))
      const script = Object.fromEntries(
        Object.entries(WINDOWS).map(([name, window]) => {
          const doing = ({ body }: { readonly body: unknown }): object => {
            const words = wordsIn((body as { readonly messages: unknown }).messages)
            return words.length / 3 > window ? tooLong : { usual: true }
          }
          return [name, { R1: [doing], R2: [doing], R3: [doing] }]
        }),
      )
      const place = await machine(script)
      const config = Object.entries(WINDOWS).map(
        ([name, window], i) =>
          `    - {name: seat-${i}, model: ${name}, base_url: "${place.server.url}/v1", context_window: ${window}}`,
      )
      await writeFile(join(place.home, 'config.yaml'), `council:\n  providers:\n${config.join('\n')}\n`, {
        mode: 0o600,
      })
      // Outside of any repository, so that the files are reviewed and not what has changed in them.
      await cp(join(ROOT, 'src'), join(place.cwd, 'src'), { recursive: true })
      const where = place
      const { witan } = await import('../doors/command.ts')
      const args = ['review', 'src', '--parts', String(parts), '--json']
      const before = (await witan(where, ...args, '--preview')).json as unknown as Preview
      const ran = await witan(where, ...args, '--yes')
      const { report, metrics, trace } = ran.json as unknown as Ran
      for (const { model, round, words } of place.server.heard)
        if (round === 'R1') heard.get(model)?.push(words)
      const [notice = ''] = report.notices
      const unseen = new Set(before.unseen.map(({ path }) => path))
      const all = await sources()
      for (const words of heard.values()) {
        const shown = (path: string): boolean => words.some((text) => text.includes(`path="${path}"`))
        expect(all.filter((path) => !shown(path) && !unseen.has(path))).toEqual([])
      }
      if (unseen.size > 0) expect(notice).toContain(`No seat was shown all of ${unseen.size} files`)
      else expect(notice).not.toContain('No seat was shown')
      expect(place.server.heard).toHaveLength(metrics.calls)
      const verdict = (await witan(where, 'verify', trace, '--json')).json
      expect([verdict.status, verdict.failures]).toEqual(['pass', []])
      const sent = place.server.heard.reduce((sum, { words }) => sum + words.length, 0)
      console.log(
        JSON.stringify({
          parts: before.portions,
          files: all.length,
          unseen: unseen.size,
          before: before.estimate,
          after: { ...metrics, characters: sent },
        }),
      )
      await place.server.close()
    },
  )
})
