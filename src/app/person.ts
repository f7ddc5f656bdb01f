// The port to a human: what a use case may ask the person in front of an entrance. Each entrance brings its own
// (questions on a terminal, elicitation of a host, callbacks of a program); where no person can be asked, it is
// NO_PERSON, and only what was decided beforehand counts. A question is a value: how it is worded and laid out is the
// business of the entrance.

import type { SettingsError } from './config/faults.ts'
import type { CouncilPreview } from './council/preview.ts'

/** What would be shown to models. */
export type Material =
  | { readonly kind: 'council'; readonly preview: CouncilPreview }
  /** What the tools of a session give back from its folders. */
  | { readonly kind: 'session'; readonly task: string; readonly tools: readonly string[] }

/** Contents of folders that would leave this machine for the first time. */
export interface Sending {
  readonly folders: readonly string[]
  /** To whom, by the names of providers. */
  readonly providers: readonly string[]
  /** Those of the providers who were never shown one of these folders. */
  readonly newcomers: readonly string[]
  readonly material: Material
}

/** Null where the person cannot be asked this. */
export type Answer = boolean | null

export interface Person {
  /** May a file decide what runs here and who is asked? The error names the file and the keys in question. */
  trustsFile(error: SettingsError): Promise<Answer>
  /** May this be sent? */
  allowsSending(sending: Sending): Promise<Answer>
}

export const NO_PERSON: Person = {
  trustsFile: async () => null,
  allowsSending: async () => null,
}
