import { expect, it } from 'vitest'
import { openAccountable } from '../attach/accountable.ts'
import { inStore } from '../storage.ts'
import { proposeByHand } from './propose.ts'

it('AGT-X-7 accepts no proposal by hand in a session of a host, and says that the standing order replaces it', async () => {
  const storage = await inStore()
  const { trace, run } = await openAccountable({ storage })
  await run({ tool: 'a', input: {} }, () => 'opens the session')
  const given = { file: 'a-file-that-is-not-read.json', revises: null, means: async () => 'none' as const }
  await expect(proposeByHand(storage, trace, given)).rejects.toMatchObject({
    code: 'USAGE',
    message: `${trace} is of an attached host: its standing order is its only proposal`,
    next: expect.stringContaining('--order'),
  })
})
