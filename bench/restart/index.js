// The restart detector on messages and pools that it never learned from, beside two simpler ways of detecting:
// counting the word, and watching the largest theme.
import { join } from 'node:path'
import { bundled, root } from '../bundled.js'

const { measure } = await bundled('restart')
console.log(await measure(join(root, 'test/restart')))
