// Traces that run in the console's own process: councils that were begun, retried, forked or resumed here,
// and resumed sessions and exchanges. Each opens the home by itself. When the console ends they are stopped,
// and can be resumed.

import { AGENTS_PROTOCOL } from '../../agents/agents.ts'
import { COUNCIL } from '../../council/events.ts'
import { loadSettings, type Settings } from '../config/config.ts'
import type { Council, GoingOn } from '../council/council.ts'
import type { CouncilPlan, CouncilRequest } from '../council/plan.ts'
import type { CouncilPreview } from '../council/preview.ts'
import { type Failure, failureOf } from '../failure.ts'
import { type Home, type HomeLocation, openHome, withHome } from '../home/home.ts'
import { personName, runKitOf } from '../home/signers.ts'
import { NO_PERSON, withoutTypedSecrets } from '../person.ts'
import { SHORT_GRACE_MS } from '../run.ts'

/** A council as requested on a page. */
export interface PageCouncilRequest extends Pick<CouncilRequest, 'question' | 'mode'> {
  readonly seats: readonly string[]
  /** A panel of the settings, instead of seats. */
  readonly panel: string | null
  readonly chair: string | null
  readonly maxCost: number | null
  /** Files and folders, relative to where the console was started. */
  readonly context: readonly string[]
  /** Files that were dropped onto the page. */
  readonly texts: readonly { readonly name: string; readonly text: string }[]
  readonly follow: string | null
}

/** What would be sent to which provider, shown before anything is sent. */
export interface PlannedCouncil {
  readonly plan: CouncilPlan
  readonly preview: CouncilPreview
  /** The text to be sent: without secrets. */
  readonly question: string
  /** How many secrets were removed from what was typed. */
  readonly removed: number
}

export interface SavedPanel {
  readonly name: string
  readonly seats: readonly { readonly seat: string; readonly stance: string | null }[]
  readonly chair: string | null
  /** US dollars. */
  readonly cost: number | null
  readonly minutes: number | null
  readonly short_circuit: boolean
}

export interface Run {
  readonly trace: string
  /** Null while it runs, and when it ended well. */
  readonly failure: Failure | null
  readonly isOver: boolean
}

export class Runs {
  readonly #location: HomeLocation
  readonly #from: string
  readonly #config: string | null
  readonly #runs = new Map<string, { run: Run; stop: AbortController; over: Promise<void> }>()

  constructor(
    location: HomeLocation,
    { from, config }: { readonly from: string; readonly config: string | null },
  ) {
    this.#location = location
    this.#from = from
    this.#config = config
  }

  settings(): Promise<Settings> {
    return loadSettings({ home: this.#location.directory, from: this.#from, file: this.#config })
  }

  /** The panels that the settings keep, by name. */
  async panels(): Promise<readonly SavedPanel[]> {
    const [{ panelOf }, settings] = await Promise.all([import('../council/seating.ts'), this.settings()])
    return Object.entries(settings.panels ?? {}).map(([name, { budget }]) => {
      const { seats, manners, chair, shortCircuit } = panelOf(name, settings).wish
      return {
        name,
        seats: seats.map((seat, i) => ({ seat, stance: manners[i]?.stance ?? null })),
        chair,
        cost: budget?.cost ?? null,
        minutes: budget?.minutes ?? null,
        short_circuit: shortCircuit,
      }
    })
  }

  list(): readonly Run[] {
    return [...this.#runs.values()].map(({ run }) => run)
  }

  async plan(typed: PageCouncilRequest): Promise<PlannedCouncil> {
    const [{ followUp, planCouncil, previewCouncil }, { namedSeating, withPanel: underPanel, worldHere }] =
      await Promise.all([import('../council/plan.ts'), import('../council/seating.ts')])
    const { value: request, removed } = await withoutTypedSecrets(typed)
    const { wish, settings } = underPanel(request.panel, request, await this.settings())
    const seating = await namedSeating(wish, settings, worldHere(AbortSignal.timeout(60_000)))
    const texts = wish.texts.map(({ name, text }) => ({ name, text, path: name }))
    const context = { context: wish.context, words: null, range: null, texts }
    const plan = await planCouncil(wish, seating, { settings: settings.council, from: this.#from, context })
    const { follow } = wish
    const followed =
      follow === null
        ? null
        : await withHome({ ...this.#location, mode: 'read' }, (home) => followUp(home, follow))
    return { plan, preview: await previewCouncil(plan, followed), question: wish.question, removed }
  }

  /** The person has seen what would be sent, and agreed. */
  async begin({ plan }: PlannedCouncil): Promise<string> {
    const [{ allowCouncil }, { beginCouncil }, { openOrCreateHome: openOrFound }] = await Promise.all([
      import('../council/plan.ts'),
      import('../council/council.ts'),
      import('../home/signers.ts'),
    ])
    const unasked = { why: 'no consent was given', next: 'Look at what would be sent, and say yes.' }
    return this.#hold(await openOrFound({ postgres: null, ...this.#location }), async (home) => {
      const convening = await allowCouncil(home, plan, {
        person: NO_PERSON,
        consented: true,
        unasked,
        instead: '',
      })
      return beginCouncil(runKitOf(home), convening, { convener: personName(), seats: plan.seating.seats })
    })
  }

  /** Asks failed seats again, in a fork. */
  async retry(trace: string, seats: readonly string[]): Promise<string> {
    const { retryCouncil } = await import('../council/retry.ts')
    return this.#hold(await this.#open(), async (home) =>
      retryCouncil(runKitOf(home), trace, { ...(await this.#goingOn()), seats, timeoutMs: null }),
    )
  }

  /** The same opinions and reviews, another chair. */
  async fork(trace: string, after: 'R1' | 'R2', chair: string | null): Promise<string> {
    const [{ makeAmendment: amendmentOf, askToShare, forkCouncil }, { worldHere }, { NO_PERSON }] =
      await Promise.all([
        import('../council/fork.ts'),
        import('../council/seating.ts'),
        import('../person.ts'),
      ])
    const who = chair === null ? '' : ` --chair ${chair}`
    const command = `witan fork ${trace} --after ${after}${who} --yes`
    const wish = { seats: [], chair, shortCircuit: false, maxCost: null }
    return this.#hold(await this.#open(), async (home) =>
      forkCouncil(runKitOf(home), trace, {
        ...(await this.#goingOn()),
        after,
        amend: (opened) => amendmentOf(opened, wish, () => this.settings(), worldHere()),
        allow: (sharing) =>
          askToShare(home.directory, sharing, { person: NO_PERSON, consented: false, command }),
      }),
    )
  }

  /** Continues a trace as far as possible without a person. */
  async resume(trace: string): Promise<string> {
    const home = await this.#open()
    const protocol = (await home.store.head(trace))?.header.protocol
    if (protocol === COUNCIL) {
      const { resumeCouncil } = await import('../council/council.ts')
      return this.#hold(home, async () => resumeCouncil(runKitOf(home), trace, await this.#goingOn()))
    }
    if (protocol === AGENTS_PROTOCOL) return this.#resumeSession(home, trace)
    return this.#resumeExchange(home, trace)
  }

  async close(): Promise<void> {
    for (const { stop } of this.#runs.values()) stop.abort()
    await Promise.all([...this.#runs.values()].map(({ over }) => over))
  }

  #open(): Promise<Home> {
    return openHome({ ...this.#location, mode: 'write' })
  }

  async #goingOn(): Promise<GoingOn> {
    const [{ seatsFromSettings }, { worldHere }] = await Promise.all([
      import('../council/council.ts'),
      import('../council/seating.ts'),
    ])
    return {
      convener: personName(),
      seatsFor: async (opened) => {
        if (!opened.scripted) return seatsFromSettings(() => this.settings(), worldHere())(opened)
        return (await import('../demo/council-demo.ts')).scriptedSeats(1)
      },
    }
  }

  #resumeSession(home: Home, trace: string): Promise<string> {
    return this.#work(home, async () => {
      const { resumeSession } = await import('../agents/session.ts')
      const session = await resumeSession(home, trace, {
        settings: () => this.settings(),
        person: NO_PERSON,
        consented: false,
        task: null,
      })
      return {
        trace,
        async drive(signal) {
          try {
            await session.drive({ signal, grace: SHORT_GRACE_MS })
          } finally {
            await session.close()
          }
        },
      }
    })
  }

  #resumeExchange(home: Home, trace: string): Promise<string> {
    return this.#work(home, async () => {
      const [{ driveThroughBranches: driveOn, resumeInHome: resumeHere }, { mindsFromSettings }] =
        await Promise.all([import('../exchange/exchange.ts'), import('../exchange/minds.ts')])
      const exchange = await resumeHere(home, trace, {
        mindsFor: mindsFromSettings(() => this.settings()),
        keyFile: null,
        means: async () => 'console',
      })
      return {
        trace,
        async drive(signal) {
          try {
            await driveOn(exchange, (one) => one.drive({ signal, grace: SHORT_GRACE_MS }))
          } finally {
            await exchange.close()
          }
        },
      }
    })
  }

  #hold(home: Home, begin: (home: Home) => Promise<Council>): Promise<string> {
    return this.#work(home, async () => {
      const council = await begin(home)
      return {
        trace: council.trace,
        drive: (signal) => council.drive({ signal, grace: SHORT_GRACE_MS }),
      }
    })
  }

  /** The home is closed with the run. */
  async #work(
    home: Home,
    begin: () => Promise<{
      readonly trace: string
      readonly drive: (signal: AbortSignal) => Promise<unknown>
    }>,
  ): Promise<string> {
    let begun: Awaited<ReturnType<typeof begin>>
    try {
      begun = await begin()
    } catch (error) {
      await home.close()
      throw error
    }
    const { trace, drive } = begun
    const stop = new AbortController()
    const ended = (failure: Failure | null): void => {
      this.#runs.set(trace, { run: { trace, failure, isOver: true }, stop, over })
    }
    const over = drive(stop.signal)
      .then(
        () => ended(null),
        (error: unknown) => ended(failureOf(error)),
      )
      .finally(() => home.close())
    this.#runs.set(trace, { run: { trace, failure: null, isOver: false }, stop, over })
    return trace
  }
}
