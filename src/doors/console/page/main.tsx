// The page of the console. Every view is drawn from what the server tells and from the same pure folds as everywhere
// else; a view that is not opened is not loaded.

import { render } from 'preact'
import { startKeys } from './shell/keys.ts'
import { Shell } from './shell/shell.tsx'
import { start } from './state.ts'
import { startDropping } from './trace/dropped-file.ts'

const place = document.getElementById('console')
if (place) {
  place.replaceChildren()
  render(<Shell />, place)
  startKeys()
  startDropping()
  void start()
}
