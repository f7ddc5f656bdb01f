// The page of the console. Every view is drawn from the server's data and from the same pure folds as
// everywhere else; a view is loaded when it is opened.

import { render } from 'preact'
import { startKeys } from './shell/keyboard.ts'
import { Shell } from './shell/shell.tsx'
import { start } from './state.ts'
import { startDropping } from './trace/dropped-file.ts'

const root = document.getElementById('console')
if (root) {
  root.replaceChildren()
  render(<Shell />, root)
  startKeys()
  startDropping()
  void start()
}
