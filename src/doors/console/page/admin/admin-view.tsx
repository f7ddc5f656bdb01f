// The administration of a home: ready models, panels, costs, queue, schedules, evaluations, keys, and refused
// requests.

import { viewer } from '../state.ts'
import { CostsPart } from './costs-part.tsx'
import { AccessPart, KeysPart } from './keys-part.tsx'
import { EvalsPart, QueuePart } from './queue-part.tsx'
import { SchedulesPart } from './schedules-part.tsx'
import { PanelsPart, SeatsPart } from './seats-part.tsx'

export function AdminView() {
  return (
    <div class="admin">
      <h1>Administration</h1>
      {viewer.value && (
        <p class="muted">
          <code>{viewer.value.home}</code>, Witan {viewer.value.version}, as{' '}
          <strong>{viewer.value.person}</strong>
        </p>
      )}
      <SeatsPart />
      <PanelsPart />
      <CostsPart />
      <QueuePart />
      <SchedulesPart />
      <EvalsPart />
      <KeysPart />
      <AccessPart />
    </div>
  )
}
