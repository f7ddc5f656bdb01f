// The embedded panel at a council's table: a mind of named checks whose report is given in the shape of an opinion.

import { panelOpinion } from '../../council/panel.ts'
import { embeddedMind } from '../../minds/embedded/embedded-mind.ts'
import type { Mode } from '../../minds/embedded/subject.ts'
import type { Mind } from '../../minds/mind.ts'

/** The account of a pack is no file of anyone's: nothing in it bears on a question. */
const ACCOUNT = 'context'

export function panelMind(mode: Mode): Mind {
  const inner = embeddedMind({ mode, answer: panelOpinion })
  return {
    ...inner,
    ask: (request) => inner.ask({ ...request, parts: request.parts.filter(({ name }) => name !== ACCOUNT) }),
  }
}
