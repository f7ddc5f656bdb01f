// Which limits of a sandbox are enforced on this machine, and how, as text for people who set them.

import { groupsHere, type Place } from './control-group.ts'
import { findProgram } from './sandbox.ts'

export interface HeldLimits {
  /** Whether commands and servers can be confined at all. */
  readonly confined: boolean
  /** What enforces memory and processes of a whole sandbox. */
  readonly by: 'control-group' | 'counting' | null
  readonly detail: string
}

/** How memory and processes are limited, with or without control groups. */
export const heldIn = ({ parent, why }: Place): Omit<HeldLimits, 'confined'> =>
  parent === null
    ? {
        by: 'counting',
        detail:
          'memory and processes: the kernel holds each process; all of a sandbox together is counted while it runs and ' +
          `ended when it has taken too much, so it can take more for a moment (${why})`,
      }
    : {
        by: 'control-group',
        detail: `memory and processes: the kernel holds all of a sandbox together, by control groups in ${parent}`,
      }

/** On this machine, with the programs of this path. */
export async function limitsHeldHere(path: string): Promise<HeldLimits> {
  if ((await findProgram('bwrap', path)) !== null) return { confined: true, ...heldIn(groupsHere()) }
  const detail =
    'bubblewrap is not installed: commands and servers do not run, unless unconfined and without limits'
  return { confined: false, by: null, detail }
}
