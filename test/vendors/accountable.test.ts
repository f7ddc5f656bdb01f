// The example of accountable tools of LangChain, with LangChain itself, which nothing else here needs.

import { execFile } from 'node:child_process'
import { copyFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { projectRoot } from '../support/sources.ts'

it('AGT-X-9 has an example that runs: langchain', async () => {
  const folder = join(projectRoot, '.vendor-cache/langchain')
  const example = join(folder, 'langchain.mjs')
  await copyFile(join(projectRoot, 'examples/accountable/langchain.mjs'), example)
  await rm(join(folder, 'node_modules/witan'), { force: true })
  await symlink(projectRoot, join(folder, 'node_modules/witan'))
  const { stdout } = await promisify(execFile)(process.execPath, [example], { cwd: folder })
  expect(stdout).toMatch(/^5\ncompleted: adder unknown, as it says, announced 1 tool call: 1 completed/)
})
