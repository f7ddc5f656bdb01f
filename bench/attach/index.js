// What an attached host pays for a call: its hooks, and a call through the gateway. `npm run bench -- attach NAME` measures one
// part: hooks or gateway. BENCH_ROUNDS sets the rounds. Takes about three minutes, the gateway alone a few seconds.

import { table } from '../measure.js'

const rows = []
const only = process.argv[3]
for (const [name, measure] of Object.entries({
  hooks: async () => (await import('./hooks.js')).hookRows(),
  gateway: async () => (await import('./gateway.js')).gatewayRows(),
})) {
  if (only && only !== name) continue
  rows.push(...(await measure()))
}
console.log(table(rows))
