// Whether an address stays on this machine.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopback = (address: string): boolean =>
  URL.canParse(address) && LOOPBACK.test(new URL(address).hostname)
