// By how many megabytes the process grows at most while it takes the secrets out of eight megabytes of nothing else.

import { withoutSecrets } from '../../src/context/clean.ts'

const SECRET = "key='AKIAIOSFODNN7ABCDEFG'\n"
const BYTES = 8 << 20

await withoutSecrets(SECRET.repeat(100))
const text = Buffer.from(SECRET.repeat(Math.floor(BYTES / SECRET.length))).toString('latin1')
const before = process.memoryUsage.rss()
const { removed } = await withoutSecrets(text)
const most = process.resourceUsage().maxRSS * 1024
console.log(JSON.stringify({ removed: removed.length, megabytes: Math.round((most - before) / 1e6) }))
