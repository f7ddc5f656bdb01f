// One artifact of an event as text: a prompt, a model's reply, the output of a tool. It is shown as recorded,
// up to a limit, and not verified.

import { WitanError } from '../../ledger/errors.ts'
import { type Artifact, artifactsOf, readPayload } from '../../ledger/event.ts'
import { readBeginning } from '../../stores/searched-text.ts'
import { type HomeLocation, withHome } from '../home/home.ts'
import { findTrace } from './trace-name.ts'

/** Longer ones are shown from their beginning. */
const MOST_BYTES = 8 << 20

/** What is in an artifact. */
export interface ArtifactContent {
  readonly trace: string
  readonly seq: number
  readonly artifact: Artifact
  readonly text: string
  /** Whether `text` ends before the artifact does. */
  readonly isCut: boolean
}

function artifactNamed(artifacts: readonly Artifact[], named: string, where: string): Artifact {
  const match = artifacts.find(({ name, hash }) => name === named || hash === named)
  if (match !== undefined) return match
  const names = artifacts.map(({ name }) => name).join(', ')
  const next = names === '' ? 'It has none.' : `It has ${names}.`
  throw new WitanError('ARTIFACT_NOT_FOUND', `${where} has no artifact ${named}`, next)
}

/** The artifact of this name, or of this hash, in one event of a trace of this home. */
export const readArtifact = (
  location: HomeLocation,
  name: string,
  seq: number,
  named: string,
): Promise<ArtifactContent> =>
  withHome({ ...location, mode: 'read' }, async ({ store }) => {
    const trace = await findTrace(store, name)
    const where = `${trace}/${seq}`
    for await (const { payload: bytes } of store.read(trace, seq, seq + 1)) {
      const payload = bytes && readPayload(bytes)
      const artifacts = typeof payload === 'object' && payload ? artifactsOf(payload) : []
      const artifact = artifactNamed(artifacts, named, where)
      const source = await store.openArtifact(artifact.hash)
      if (source === null)
        throw new WitanError(
          'ARTIFACT_NOT_FOUND',
          `${artifact.name} of ${where} is gone`,
          'See the registry.',
        )
      const read = await readBeginning(source, MOST_BYTES)
      const text = new TextDecoder().decode(read)
      return { trace, seq, artifact, text, isCut: read.length < artifact.size }
    }
    throw new WitanError('EVENT_NOT_FOUND', `there is no event ${where}`, `See \`witan show ${trace}\`.`)
  })
