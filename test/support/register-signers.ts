// Opens a home, made if need be, and gives these agents keys. Arguments: home, then `agent:role,role` for each.

import { openOrCreateHome, registerSigners } from '../../src/app/home/signers.ts'

const [directory = '', ...given] = process.argv.slice(2)
const signers = given.map((text) => {
  const [agent = '', roles = ''] = text.split(':')
  return { agent, roles: roles.split(',') }
})
const home = await openOrCreateHome({ directory, postgres: null })
await registerSigners(home, signers)
await home.close()
