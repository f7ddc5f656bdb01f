import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../support/sources.ts'

it('EXC-RUN-1 the example runs an exchange from its beginning to a verified branch', () => {
  const out = execFileSync(process.execPath, [join(projectRoot, 'examples/exchange/run.js')], {
    encoding: 'utf8',
  })
  expect(out).toMatch(/All of it holds\.\n$/)
})
