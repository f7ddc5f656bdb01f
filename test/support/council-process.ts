// A clerk in a process of its own that opens a council in a SQLite home and dies by its own hand at one exact moment:
// right after its n-th commit to the trace, or inside its n-th asking when the answer is there and no one knows it
// yet. Arguments: home, server, when to die (`commit:3`, `ask:2`).

import { inHome } from '../../src/app/storage.ts'
import { workAt } from './council-clerk.ts'

const [directory = '', url = '', death = ''] = process.argv.slice(2)
const [moment, nth] = death.split(':')

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('still alive')
}

let commits = 0
let asked = 0
await workAt(await inHome(directory), url, {
  trace: null,
  opened: (trace) => console.log(`trace ${trace}`),
  committed: () => {
    if (moment === 'commit' && ++commits === Number(nth)) die()
  },
  seat: (seat) => ({
    ...seat,
    async ask(asking) {
      const mine = ++asked
      const answer = await seat.ask(asking)
      if (moment === 'ask' && mine === Number(nth)) die()
      return answer
    },
  }),
})
console.log('end')
