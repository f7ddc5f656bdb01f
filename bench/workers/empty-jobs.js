// graphile-worker by itself, in a process of its own: says when each empty job was picked up.
import { Logger, run } from 'graphile-worker'

const [url, schema] = process.argv.slice(2)
await run({
  connectionString: url,
  schema,
  concurrency: 4,
  pollInterval: 2_000,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: {
    empty: async () => {
      process.send({ at: performance.timeOrigin + performance.now() })
    },
  },
})
process.send({ ready: true })
process.on('disconnect', () => process.exit(0))
