// Which addresses may be dialled, as decisions: nothing here opens a connection.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkGrant, type HostGrant, hostMatches, type Resolve, resolveDestination } from './hosts.ts'
import { isPublicAddress } from './public-addresses.ts'

const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
const never: Resolve = async (name) => {
  throw new Error(`${name} was looked up`)
}
const ANY: readonly HostGrant[] = [{ host: '*' }]
const decide = (url: string, grants: readonly HostGrant[] = ANY, resolve: Resolve = never) =>
  resolveDestination(new URL(url), grants, resolve)
const denied = { name: 'Fault', type: 'denied' }

describe('an address', () => {
  const inner = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '999.1.1.1',
    '0x7f.1',
  ]
  it.each(inner)('%s is not of the public Internet', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    '%s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it('never lets an IPv4 address of a private network pass, in any IPv6 form', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const privateFour = fc.oneof(
      fc.tuple(fc.constant(10), octet, octet, octet),
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    )
    fc.assert(
      fc.property(privateFour, ([a, b, c, d]) => {
        const dotted = `${a}.${b}.${c}.${d}`
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        const forms = [
          dotted,
          `::ffff:${dotted}`,
          `::ffff:${hex}`,
          `::${dotted}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
        ]
        expect(forms.filter(isPublicAddress)).toEqual([])
      }),
    )
  })
})

describe('AGT-TOOL-6 a request is not sent', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://①②⑦.⓪.⓪.①/',
  ])('to %s', async (url) => {
    await expect(decide(url)).rejects.toMatchObject(denied)
  })

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'gopher://example.org/',
    'data:text/plain,x',
    'ws://example.org',
  ])('as %s', async (url) => {
    await expect(decide(url)).rejects.toMatchObject(denied)
  })

  it('to a name with one private address among public ones', async () => {
    await expect(
      decide('https://rebind.example/', ANY, resolvesTo('8.8.8.8', '10.0.0.1')),
    ).rejects.toMatchObject({
      ...denied,
      message: 'rebind.example is at 10.0.0.1, which is not of the public Internet',
    })
    await expect(decide('https://x.example/', ANY, resolvesTo('::ffff:10.0.0.1'))).rejects.toMatchObject(
      denied,
    )
    await expect(decide('https://x.example/', ANY, resolvesTo())).rejects.toMatchObject({
      type: 'unavailable',
    })
  })

  it('to a host, a port or with a password that was not granted: no name is even looked up', async () => {
    const grants = [{ host: 'docs.example' }, { host: '*.api.example', port: 8443 }]
    for (const url of [
      'https://other.example/',
      'https://docs.example:8443/',
      'https://docs.example.evil/',
      'https://evil-docs.example/',
      'https://api.example:8443/',
      'https://x.api.example/',
      'https://user:pass@docs.example/',
    ]) {
      await expect(decide(url, grants), url).rejects.toMatchObject(denied)
    }
  })

  it('to a private address under a name that was granted as a public one', async () => {
    const grants = [{ host: 'intranet.example' }]
    await expect(decide('https://intranet.example/', grants, resolvesTo('10.0.0.1'))).rejects.toMatchObject(
      denied,
    )
  })
})

describe('a request is sent', () => {
  it('to the address that was checked, which is looked up once', async () => {
    let asked = 0
    const resolve: Resolve = async () => {
      asked += 1
      return [{ address: asked === 1 ? '8.8.8.8' : '127.0.0.1', family: 4 }]
    }
    expect(await decide('https://DOCS.example./', [{ host: 'docs.example' }], resolve)).toMatchObject({
      address: '8.8.8.8',
      family: 4,
    })
    expect(asked).toBe(1)
  })

  it('to a private host that was granted by its own name and port', async () => {
    const grants = [{ host: '127.0.0.1', port: 8080, private: true }]
    expect(await decide('http://127.0.0.1:8080/', grants)).toMatchObject({ address: '127.0.0.1' })
    await expect(decide('http://127.0.0.1:8081/', grants)).rejects.toMatchObject(denied)
    await expect(decide('http://127.0.0.2:8080/', grants)).rejects.toMatchObject(denied)
  })

  it('under the most exact grant', async () => {
    const grants: HostGrant[] = [{ host: '*' }, { host: 'docs.example', headers: { authorization: 'x' } }]
    const found = await decide('https://docs.example/', grants, resolvesTo('8.8.8.8'))
    expect(found.grant).toBe(grants[1])
  })
})

describe('a grant', () => {
  it('with a star never covers the name itself, nor an address, nor a name that only ends alike', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (one, other) => {
        expect(hostMatches(`*.${one}`, one)).toBe(false)
        expect(hostMatches(`*.${one}`, `${other}.${one}`)).toBe(true)
        expect(hostMatches(`*.${one}`, `x${one}`)).toBe(false)
        expect(hostMatches(one, `${one}.${other}`)).toBe(false)
      }),
    )
    expect(hostMatches('*.0.0.1', '127.0.0.1')).toBe(false)
  })

  it.each([
    { host: '' },
    { host: 'https://docs.example' },
    { host: 'docs.*' },
    { host: '*', private: true },
    { host: '*.example', private: true },
    { host: 'docs.example', port: 0 },
  ])('that makes no sense is refused: %j', (grant) => {
    expect(() => checkGrant(grant)).toThrowError(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})
