// A clerk that comes, says so and stays until it is killed. Arguments: the store, the name.
import { openVaultAt } from './store-at.ts'

const [place = '', clerk = ''] = process.argv.slice(2)
const store = await openVaultAt(place)
await store.attend(clerk)
console.log('here')
setInterval(() => {}, 60_000)
