import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closedToOthers, settingsFault } from './for-all-users.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-for-all-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a host that is attached for all users', () => {
  it('AGT-X-7 needs a program that other users can start, and names the first file or folder that they cannot use', async () => {
    const program = join(folder, 'hook.cjs')
    await writeFile(program, '')
    await chmod(program, 0o600)
    await chmod(folder, 0o711)
    expect(await closedToOthers(['/etc/passwd', program])).toBe(program)
    await chmod(program, 0o644)
    await chmod(folder, 0o700)
    expect(await closedToOthers(['/etc/passwd', program])).toBe(folder)
    expect(await closedToOthers(['/etc/passwd', 'a word'])).toBeNull()
  })

  it('AGT-X-7 is changed by an administrator, and users are told so', () => {
    const about = { scope: 'managed', file: '/etc/x/settings.json', host: 'claude' } as const
    const fault = (code: string): unknown =>
      settingsFault(Object.assign(new Error(code), { code }), about, 'detach')
    for (const code of ['EACCES', 'EPERM', 'EROFS'])
      expect(fault(code)).toMatchObject({
        code: 'FILE_UNWRITABLE',
        message: '/etc/x/settings.json: you may not change it',
        next: expect.stringContaining('sudo witan detach claude'),
      })
    expect(fault('EIO')).toMatchObject({ code: 'EIO' })
  })
})
