// The demo session: the real protocol and real files in a folder of its own, models that answer from a script
// on the loopback, and one approval that only a person can give. The signed opening says that it is scripted.

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginSession, type Session } from '../agents/session.ts'
import { readTask } from '../agents/task-file.ts'
import type { Home } from '../home/home.ts'
import { NO_PERSON } from '../person.ts'
import { FILES, scriptedMinds, TASK } from './agents-script.ts'

/** A folder of its own, which is kept so that you can look at the result. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'witan-demo-'))
  await mkdir(join(folder, 'shop'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, 'shop', name), text)
  await writeFile(join(folder, 'task.yaml'), TASK)
  return folder
}

export async function beginDemoSession(
  home: Home,
  pace: number,
): Promise<{ readonly session: Session; readonly folder: string }> {
  const folder = await makeFolder()
  const task = await readTask(join(folder, 'task.yaml'), home.directory)
  const session = await beginSession(home, task, {
    settings: async () => ({ files: [], council: {}, mcpServers: {}, chosen: false }),
    person: NO_PERSON,
    // Nothing leaves this machine, and the folder only contains what was made for it.
    consented: true,
    scripted: () => scriptedMinds(pace),
  })
  return { session, folder }
}
