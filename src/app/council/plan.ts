// A council before it is opened: who sits there, what is laid before it, under which policy. Every entrance plans its
// councils here. Nothing is sent and nothing is recorded by planning.

import type { Mode } from '../../council/replies/opinion.ts'
import type { CouncilSettings } from '../config/settings.ts'
import { type Consent, obtainConsent } from '../consent.ts'
import type { Home } from '../home/home.ts'
import { type Laid, lay, type Wanted } from './council-context.ts'
import { followUp } from './follow-up.ts'
import type { Convening } from './open-council.ts'
import { type PolicyWish, policyOf } from './policy.ts'
import { type CouncilPreview, councilPreview } from './preview.ts'
import type { Seating } from './seating.ts'

export interface CouncilRequest extends PolicyWish {
  readonly question: string
  readonly mode: Mode
  readonly constraints?: readonly string[]
  readonly focus?: readonly string[]
  /** Reviewers are told who said what. */
  readonly labelled?: boolean
  /** A finished council, by its name, whose report is laid before this one. */
  readonly follow?: string | null
}

export interface CouncilPlan {
  readonly convening: Omit<Convening, 'follow'>
  readonly seating: Seating
  readonly laid: Laid | null
  readonly follow: string | null
  /** The folder whose contents may leave this machine; null when there is none. */
  readonly folder: string | null
}

/** What is laid before the council is read in the folder `from`. */
export async function planCouncil(
  request: CouncilRequest,
  seating: Seating,
  { settings, from, context }: { settings: CouncilSettings; from: string; context: Wanted },
): Promise<CouncilPlan> {
  const { question, mode, constraints = [], focus = [], labelled = false, follow = null } = request
  const laid = await lay(from, context)
  return {
    convening: {
      question,
      mode,
      constraints,
      focus,
      seats: seating.records,
      chairs: seating.chairs,
      labelled,
      policy: policyOf(settings, request, seating),
      context: laid,
    },
    seating,
    laid,
    follow,
    // A report may quote what its council was shown, and whose folder that was is not on record.
    folder: laid === null || laid.folder === null ? (follow === null ? null : from) : laid.folder,
  }
}

export const previewCouncil = ({ convening, laid }: CouncilPlan): Promise<CouncilPreview> =>
  councilPreview(convening, laid)

/** Returns the opening when what the plan lays before the seats may be sent to them; throws when not. */
export async function allowCouncil(
  home: Home,
  plan: CouncilPlan,
  consent: Omit<Consent, 'chosen'>,
): Promise<Convening> {
  const { folder, seating, convening } = plan
  const follow = plan.follow === null ? null : await followUp(home, plan.follow)
  if (folder !== null && seating.providers.length > 0) {
    const material = async () => ({ kind: 'council' as const, preview: await previewCouncil(plan) })
    const sending = { folders: [folder], providers: seating.providers, material }
    await obtainConsent(home.directory, sending, { ...consent, chosen: seating.chosen })
  }
  return { ...convening, follow }
}
