// The contract of minds, for one vendor's program played by its stand-in.

import type { CliOptions } from '../../../src/minds/cli/cli-mind.ts'
import { describeMindContract } from '../../../src/minds/contract.ts'
import type { Mind } from '../../../src/minds/mind.ts'
import { PLANTED_SECRET } from '../../../src/minds/scenarios.ts'
import { openStub, type Vendor } from './stub.ts'

const NO_HEADERS = 'the program does not pass on how long its vendor asked it to wait'

export function describePlayed(
  vendor: Vendor,
  make: (options: CliOptions) => Mind,
  notApplicable: Readonly<Record<string, string>> = {},
): void {
  describeMindContract(
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
