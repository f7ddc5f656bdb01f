// How far from the centre of its theme a message lies, and how far others do: the radius of themes is read off here.
import { join } from 'node:path'
import { bundled, root } from '../bundled.js'

const { measure } = await bundled('themes')
console.log(await measure(join(root, 'test/themes/themes.jsonl')))
