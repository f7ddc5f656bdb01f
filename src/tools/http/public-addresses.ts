// Which addresses are on the public Internet. Everything else is refused: loopback, private networks,
// link-local with the metadata services of clouds, shared address space, multicast, documentation, and every
// form of IPv6 that contains an IPv4 address, because a gateway decides where it leads.

import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC_4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 ' +
  '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32'
/** Within the global unicast space; outside of it nothing is public. */
const GLOBAL_6 = '2000::/3'
const NOT_PUBLIC_6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'
function listOf(ranges: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges.split(' ')) {
    const [address = '', prefix = ''] = range.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4')
const global6 = listOf(GLOBAL_6, 'ipv6')
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6')
/** False also for what is not an address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic4.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
    default:
      return false
  }
}
