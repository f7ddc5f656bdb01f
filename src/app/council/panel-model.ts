// The embedded panel at a council's table: a mind of named checks whose report is given in the shape of an opinion.

import { panelOpinion } from '../../council/replies/panel-opinion.ts'
import { embeddedModel } from '../../models/embedded/embedded-model.ts'
import type { Mode } from '../../models/embedded/subject.ts'
import type { Model } from '../../models/model.ts'

/** The account of a pack is no file of anyone's: nothing in it bears on a question. */
const ACCOUNT = 'context'

export function panelModel(mode: Mode): Model {
  const inner = embeddedModel({ mode, answer: panelOpinion })
  return {
    ...inner,
    ask: (request) => inner.ask({ ...request, parts: request.parts.filter(({ name }) => name !== ACCOUNT) }),
  }
}
