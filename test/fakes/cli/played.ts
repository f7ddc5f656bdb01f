// The contract of minds, for one vendor's program played by its stand-in.

import type { CliOptions } from '../../../src/models/cli/cli-model.ts'
import type { Model } from '../../../src/models/model.ts'
import { describeModelContract } from '../../contracts/models.ts'
import { PLANTED_SECRET } from '../../contracts/scenarios.ts'
import { openStub, type Vendor } from './stub.ts'

const NO_HEADERS = 'the program does not pass on how long its vendor asked it to wait'

export function describePlayed(
  vendor: Vendor,
  make: (options: CliOptions) => Model,
  notApplicable: Readonly<Record<string, string>> = {},
): void {
  describeModelContract(
    vendor,
    async ({ script }) => {
      const stub = await openStub(vendor, script)
      const { program } = stub
      const mind = make({ name: vendor, model: 'fake-1', program, apiKey: async () => PLANTED_SECRET })
      return {
        mind,
        seen: () => stub.calls().map(({ input, files }) => [input, ...files].join('\n')),
        leftovers: () => stub.leftovers(),
        dispose: () => stub.dispose(),
      }
    },
    {
      'rate limit with Retry-After as seconds': NO_HEADERS,
      'rate limit with Retry-After as date': NO_HEADERS,
      ...notApplicable,
    },
  )
}
