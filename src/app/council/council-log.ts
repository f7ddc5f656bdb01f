// A council of this home, folded as it stands.

import { TraceLog } from '../../clerk/trace-log.ts'
import { councilProtocol } from '../../council/council.ts'
import type { Home } from '../home/home.ts'
import type { CouncilLog } from './open-council.ts'

export async function logOf({ ports }: Pick<Home, 'ports'>, trace: string): Promise<CouncilLog> {
  const log = new TraceLog(ports, councilProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}
