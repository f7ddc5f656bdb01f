// What the written steps of a task give to their tools, held against the tools as they are defined now.

import { inputFault, takenBy } from '../../tools/input-fault.ts'
import type { ToolDefinition } from '../../tools/toolset.ts'
import { type Reading, report } from '../config/yaml-shape.ts'
import type { WrittenTask } from './task-schema.ts'

/** Reports each input that its tool does not take, where it stands in the file. */
export function checkInputs(
  { proposals = [] }: WrittenTask,
  reading: Reading,
  offered: readonly ToolDefinition[],
): void {
  for (const [i, { steps = [] }] of proposals.entries())
    for (const [n, { tool, input = {} }] of steps.entries()) {
      const definition = offered.find(({ name }) => name === tool)
      const fault = definition ? inputFault(definition, input) : null
      if (!definition || fault === null) continue
      report(
        reading,
        reading.document.getIn(['proposals', i, 'steps', n, 'input'], true),
        `proposals[${i}].steps[${n}].input`,
        `${definition.name} does not take this input: ${fault}`,
        `It takes ${takenBy(definition)}.`,
      )
    }
}
