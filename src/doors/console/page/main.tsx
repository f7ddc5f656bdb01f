// The page of the console. Every view is drawn from what the server tells and from the same pure folds as everywhere
// else; a view that is not opened is not loaded.

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
