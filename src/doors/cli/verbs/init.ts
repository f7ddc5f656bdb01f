// `witan init`: makes a home, or finds it made. Says what to do with it and what to hand to others.

import { foundHome } from '../../founding.ts'
import { pinFile } from '../../registry-pin.ts'
import { userName } from '../../user.ts'
import type { Verb } from '../command.ts'
import { plain } from '../plain.ts'

export const run: Verb = async (call) => {
  const name = call.text('name') ?? userName()
  const { home, created } = await foundHome({ directory: call.home, name, postgres: call.postgres })
  try {
    const registrar = await home.registrar()
    const key = registrar.book.state.registrars[0] ?? ''
    const value = { home: home.directory, created, registry: registrar.trace, key, vault: home.vault.kind }
    const title = created
      ? `Made a home at ${plain(home.directory)}`
      : `${plain(home.directory)} is a home already`
    const lines = [
      call.paint.bold(title),
      `  registry  ${value.registry}`,
      `  key       ${value.key}`,
      `  for others to verify with: ${plain(pinFile(home.directory))}`,
    ]
    const hints = ['', 'Next: witan keys add NAME --role ROLE, or witan verify registry']
    return { value, lines, brief: [], hints: created ? hints : [] }
  } finally {
    await home.close()
  }
}
