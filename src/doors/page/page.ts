// The program of the self-contained verification page: everything it says is derived here, in the reader's
// browser, from the bytes the page carries. It asks no server and keeps nothing.

import { PROTOCOLS } from '../../browser/examine.ts'
import { start } from './start.ts'

start(PROTOCOLS)
