// The restart signal on messages and pools that nothing was learned from. BENCH_VECTORS names a folder in which vectors
// are kept, so that the next time takes seconds; BENCH_POOLS says how many pools of each kind.
import { join } from 'node:path'
import { bundled, root } from '../bundled.js'

const { measure } = await bundled('restart')
console.log(await measure(join(root, 'test/restart'), process.env.BENCH_VECTORS))
