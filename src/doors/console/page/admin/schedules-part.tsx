// Runs at set times: what a worker starts when, and the last result.

import { IsolatedText } from '../elements/text.tsx'
import { Age, Clock } from '../elements/time.tsx'
import { followLink, tracePath } from '../route.ts'
import { Part, Table } from './part.tsx'

interface Schedule {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  readonly words: readonly string[]
  readonly nextAt: string
  readonly lastAt: string | null
  readonly lastTrace: string | null
  readonly error: string | null
}

/** As one would type it. */
const shellWord = (word: string): string => (/^[\w.,:/@=+-]+$/.test(word) ? word : JSON.stringify(word))

function LastRun({ schedule: { lastAt, lastTrace, error } }: { readonly schedule: Schedule }) {
  if (lastAt === null) return <span class="muted">not yet</span>
  return (
    <>
      <Age at={lastAt} />{' '}
      {error !== null && (
        <span class="bad block small">
          <IsolatedText text={error} />
        </span>
      )}
      {error === null && lastTrace !== null && (
        <a href={tracePath(lastTrace)} onClick={followLink(tracePath(lastTrace))}>
          <code>{lastTrace}</code>
        </a>
      )}
    </>
  )
}

const LOOK_MS = 10_000

export const SchedulesPart = () => (
  <Part<{ readonly schedules: readonly Schedule[] | null }>
    title="Schedules"
    path="/schedules"
    everyMs={LOOK_MS}
  >
    {({ schedules }) =>
      schedules === null || schedules.length === 0 ? (
        <p class="empty">
          {schedules === null ? 'None: schedules need PostgreSQL, and a worker.' : 'Nothing is scheduled.'}{' '}
          <code>witan schedule add NAME "0 3 * * *" -- ask "Shall we?"</code>
        </p>
      ) : (
        <Table columns={['Schedule', 'When', 'Next', 'What a worker begins', 'Last']}>
          {schedules.map((schedule) => (
            <tr key={schedule.name}>
              <td>
                <IsolatedText text={schedule.name} />
              </td>
              <td>
                <code>
                  <IsolatedText text={schedule.cron} />
                </code>{' '}
                <IsolatedText text={schedule.timezone} />
              </td>
              <td>
                <Clock at={schedule.nextAt} day />
              </td>
              <td class="wide">
                <code>
                  witan <IsolatedText text={schedule.words.map(shellWord).join(' ')} />
                </code>
              </td>
              <td>
                <LastRun schedule={schedule} />
              </td>
            </tr>
          ))}
        </Table>
      )
    }
  </Part>
)
