import { describe, expect, it } from 'vitest'
import { refuseTemporaryInstall } from './install-place.ts'

const PACKAGE = 'node_modules/witan/bin/hook.cjs'

describe('where the program of the hooks lies', () => {
  it.each([
    ['npx', `/home/ana/.npm/_npx/0a1b2c3d4e5f6071/${PACKAGE}`],
    ['npx', `C:\\Users\\ana\\AppData\\Local\\npm-cache\\_npx\\0a1b\\${PACKAGE.replaceAll('/', '\\')}`],
    ['pnpm dlx', `/home/ana/.cache/pnpm/dlx/cywey2pircc73svwjusktx4fzq/1925a05254a-29dac9/${PACKAGE}`],
    ['pnpm dlx', `/Users/ana/Library/Caches/pnpm/dlx/xq7ifqwy4f6nns2yc3cew5stea/pkg/${PACKAGE}`],
    ['dlx', `/home/ana/.local/share/pnpm/store/v3/tmp/dlx-38706/${PACKAGE}`],
    ['dlx', `/tmp/xfs-5f0e6a11/dlx-4021/${PACKAGE}`],
    ['bunx', `/tmp/bunx-1000-witan@latest/${PACKAGE}`],
    ['bunx', `/home/ana/.bun/install/cache/.bunx-1000/witan@latest/${PACKAGE}`],
  ])('AGT-X-7 may not be what %s throws away: %s', (by, file) => {
    const refused = () => refuseTemporaryInstall(['/usr/bin/node', file])
    expect(refused).toThrow(`Witan runs from a folder of ${by} that is deleted later`)
    expect(refused).toThrow(
      expect.objectContaining({ code: 'USAGE', next: expect.stringContaining('npm install -g witan') }),
    )
  })

  it('AGT-X-7 may not be an archive, which no host can start', () => {
    const file = `/home/ana/app/.yarn/cache/witan-npm-0.1.0-0a1b2c3d4e-10c0.zip/${PACKAGE}`
    expect(() => refuseTemporaryInstall([file])).toThrow('Witan runs from an archive')
  })

  it.each([
    `/home/ana/app/${PACKAGE}`,
    `/home/ana/.nvm/versions/node/v20.19.0/lib/${PACKAGE}`,
    `/home/ana/.local/share/pnpm/global/5/.pnpm/witan@0.1.0/${PACKAGE}`,
    `/home/ana/.bun/install/global/${PACKAGE}`,
    '/home/dlx/witan/bin/hook.cjs',
    '/tmp/checkout/bin/hook.cjs',
  ])('AGT-X-7 may be where it was installed: %s', (file) => {
    expect(() => refuseTemporaryInstall(['/usr/bin/node', file])).not.toThrow()
  })
})
