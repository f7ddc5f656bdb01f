// The shared parts of a console's server.

import type { OpenHome } from '../../app/console/open-home.ts'
import type { Runs } from '../../app/console/runs.ts'
import type { ServerTimeouts, Serving } from '../../app/console/serving.ts'
import type { Access } from './access.ts'
import type { PageFile } from './page-files.ts'
import type { LiveTexts } from './speech.ts'

export interface Console {
  readonly openHome: OpenHome
  readonly access: Access
  /** Traces that run in this process. */
  readonly runs: Runs
  /** Text that models are writing. */
  readonly speech: LiveTexts
  /** What another console of this home must present. */
  readonly secret: string
  readonly files: ReadonlyMap<string, PageFile>
  readonly serving: Serving
  readonly patience: ServerTimeouts
}
