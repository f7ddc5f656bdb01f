// The program of the self-contained verification page: everything it says is computed here, in the
// reader's browser, from the bytes of the page. It contacts no server and stores nothing.

import { PROTOCOLS } from '../../browser/examine.ts'
import { start } from './start.ts'

start(PROTOCOLS)
