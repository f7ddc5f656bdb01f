// Takes the write lock of a SQLite store, writes half an append under it and keeps it until it is killed.
// Arguments: the directory.
import { openDatabase } from '../../src/stores/sqlite/open.ts'

const [directory = ''] = process.argv.slice(2)
const db = await openDatabase(directory, false)
db.exec('BEGIN IMMEDIATE')
db.exec("INSERT INTO traces(trace, protocol) VALUES ('01KE00000000000000000000ZZ', 'errand/1')")
console.log('locked')
setInterval(() => {}, 60_000)
