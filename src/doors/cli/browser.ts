// Opens a page in the browser of the person at the keyboard. A machine without a browser is no error.

import { spawn } from 'node:child_process'

/** The browser of this person: what $BROWSER names, else what the system opens pages with. */
function openers(env: NodeJS.ProcessEnv): readonly string[] {
  if (env.BROWSER) return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['explorer'] : ['xdg-open']
}

/** True once the program has started; a machine without a browser is no error. */
const started = (command: string, file: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(command, [file], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })

export async function openInBrowser(
  page: string,
): Promise<{ readonly command: string; readonly opened: boolean }> {
  const [command = ''] = openers(process.env)
  return { command, opened: await started(command, page) }
}
