import { expect, it } from 'vitest'
import { waitingView } from '../../render/pending.ts'
import { queuedHints } from './run-trace.ts'

it('APP-14 does not advise to resume a trace that a worker drives', () => {
  const { hints } = waitingView('01T', [{ id: 'x', waitsFor: 'ana' }], ['witan agents approve 01T'])
  expect(queuedHints(hints)).toEqual([
    '  witan agents approve 01T',
    'Then a worker continues it: witan wait 01T',
  ])
})
