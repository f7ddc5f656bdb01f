// One model with one opinion.
import { fileURLToPath } from 'node:url'
import { listen, replies, withServer } from '../model-server.js'

const script = fileURLToPath(import.meta.url)

export const withInstantServer = (use) => withServer(script, use)

if (process.argv[2] === '--listen') {
  const reasons = Array.from(
    { length: 12 },
    (_, i) => `Reason ${i}: the change is small, reversible and tested.`,
  )
  const opinion = replies({ verdict: 'adopt', confidence: 0.75, reasons })
  listen(() => opinion)
}
