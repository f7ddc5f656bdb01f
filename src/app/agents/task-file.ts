// A task as its file states it. A task may come with a cloned repository: entries that let it run a program,
// reach further or access more count only once its current bytes were trusted; all others can only restrict.

import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import type { ToolDefinition } from '../../tools/index.ts'
import { type AskTrust, untrusted } from '../config/config.ts'
import { readDocument, serverFrom } from '../config/read.ts'
import { notedTask, readSmallFile } from '../home/files.ts'
import { isTrusted } from '../home/permissions.ts'
import { checkInputs } from './task-inputs.ts'
import { checkTask, taskShape, type WrittenTask } from './task-schema.ts'

export interface TaskFile extends WrittenTask {
  readonly file: string
  /** Whether these very bytes were trusted. */
  readonly trusted: boolean
  readonly objective: string
  /** Absolute; relative paths start at the file. */
  readonly workspace: string
  readonly roots: readonly string[]
  /** A profile's name, or the absolute path of a file. */
  readonly policy: string
}

/** The policy judges the exact input of a tool before it runs. */
const isToolInput = (key: string): boolean => /^proposals\[\d+\]\.steps\[\d+\]\.input$/.test(key)
const isProfile = (policy: string): boolean => !policy.endsWith('.cedar')

async function folder(path: string, writtenPath: string): Promise<string> {
  const entry = await stat(path).catch(() => null)
  if (entry?.isDirectory()) return path
  const what = entry ? 'is no folder' : 'does not exist'
  throw new WitanError(
    'FILE_NOT_FOUND',
    `the workspace ${writtenPath} ${what}`,
    'Correct workspace: in the task.',
  )
}

export async function readTask(file: string, home: string, ask?: AskTrust | undefined): Promise<TaskFile> {
  const bytes = await readSmallFile(file)
  const { value, sensitive } = await readDocument(file, bytes, taskShape, {
    check: checkTask,
    isFree: isToolInput,
  })
  let trusted = await isTrusted(home, file, bytes)
  if (sensitive.length > 0 && !trusted) {
    const error = untrusted(file, home, sensitive, bytes)
    trusted = (await ask?.(error, bytes)) ?? false
    if (!trusted) throw error
  }
  const directory = dirname(resolve(file))
  const { workspace = '.', policy = 'default', roots = [], mcp_servers: servers = {} } = value
  const named = Object.entries(servers).map(([name, server]) => [name, serverFrom(directory, server)])
  return {
    ...value,
    file: resolve(file),
    trusted,
    objective: value.objective ?? '',
    workspace: await folder(resolve(directory, workspace), workspace),
    policy: isProfile(policy) ? policy : resolve(directory, policy),
    roots: roots.map((root) => resolve(directory, root)),
    mcp_servers: Object.fromEntries(named),
  }
}

/** Written steps run unchanged, so an input that a tool does not take is reported before the session begins. */
export async function refuseMisfits(
  { file, roles }: TaskFile,
  offered: readonly ToolDefinition[],
): Promise<void> {
  if ((roles?.executor ?? 'written') !== 'written') return
  await readDocument(file, await readSmallFile(file), taskShape, {
    check: (task, reading) => checkInputs(task, reading, offered),
    isFree: isToolInput,
  })
}

/** The task of a session, from the named file or the remembered one. */
export async function findTask(home: string, trace: string, named: string | null): Promise<TaskFile> {
  if (named !== null) return readTask(named, home)
  const noted = await notedTask(home, trace)
  if (noted !== null) return readTask(noted.file, home)
  throw new WitanError(
    'FILE_NOT_FOUND',
    `this home does not know where the task of ${trace} lies`,
    `Name it: witan resume ${trace} --task FILE`,
  )
}
