// What a console is made of, for every part of its server.

import type { OpenHome } from '../../app/console/open-home.ts'
import type { Runs } from '../../app/console/runs.ts'
import type { Patience, Serving } from '../../app/console/serving.ts'
import type { Access } from './access.ts'
import type { PageFile } from './page-files.ts'
import type { LiveTexts } from './speech.ts'

export interface Console {
  readonly openHome: OpenHome
  readonly access: Access
  /** Traces at work in this process. */
  readonly runs: Runs
  /** What models write meanwhile. */
  readonly speech: LiveTexts
  /** What another console of this home shows. */
  readonly secret: string
  readonly files: ReadonlyMap<string, PageFile>
  readonly serving: Serving
  readonly patience: Patience
}
