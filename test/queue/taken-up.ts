// How long traces that lost their worker waited for another. The server itself writes down, by its own clock and in the
// transaction that does it, when a trace changes its state, when it grows and who works: nothing is polled. A wait goes from
// the moment at which its worker was lost to the moment at which a worker claims it, or continues it after all. What
// of it passed while every slot of the workers that were there was in use is told apart: it waited for its turn then.

import { withClient } from '../support/postgres-store.ts'

const AUDIT = `
CREATE TABLE public.told (at timestamptz NOT NULL DEFAULT clock_timestamp(), kind text, trace text, state text, pool text, name text, slots integer, type text, action text);
CREATE FUNCTION public.tell_item() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO public.told (kind, trace, state, pool) VALUES ('item', NEW.trace, NEW.state, NEW.pool); RETURN NULL;
END $$;
CREATE TRIGGER tell_item AFTER INSERT OR UPDATE OF state ON witan_queue.items FOR EACH ROW EXECUTE FUNCTION public.tell_item();
CREATE FUNCTION public.tell_growth() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO public.told (kind, trace, type, action)
    SELECT 'grown', t.trace, convert_from(NEW.header, 'UTF8')::json ->> 'type', convert_from(NEW.payload, 'UTF8')::json ->> 'action'
    FROM witan.traces t WHERE t.id = NEW.trace;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_growth AFTER INSERT ON witan.events FOR EACH ROW EXECUTE FUNCTION public.tell_growth();
CREATE FUNCTION public.tell_worker() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN INSERT INTO public.told (kind, state, pool, name, slots) VALUES ('worker', 'here', NEW.pool, NEW.name, NEW.slots);
  ELSE INSERT INTO public.told (kind, state, pool, name) VALUES ('worker', 'gone', OLD.pool, OLD.name); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_worker AFTER INSERT OR DELETE ON witan_queue.workers FOR EACH ROW EXECUTE FUNCTION public.tell_worker();
`

export const writeDown = (url: string): Promise<unknown> => withClient(url, (client) => client.query(AUDIT))

export interface Told {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly kind: 'item' | 'grown' | 'worker'
  readonly trace: string | null
  readonly state: string | null
  readonly pool: string | null
  readonly name: string | null
  readonly slots: number | null
  /** Of the event that it grew by. */
  readonly type: string | null
  readonly action: string | null
}

/** A worker was killed, stopped or cut off at that moment, or the database was. */
export interface Loss {
  readonly at: number
  /** From here on nothing more comes of it. */
  readonly struck: number
  /** Null for the database. */
  readonly worker: string | null
  readonly as: string
  /** When it could work again; for one that was killed, never. */
  until: number
}

export interface Wait {
  readonly trace: string
  readonly as: string
  readonly ms: number
  /** Until it was offered to the others. */
  readonly noticedMs: number
  /** While all slots of those who were there were in use. */
  readonly crowdedMs: number
}

/** What a transaction that was under way may still bring after its process is gone. */
const UNDER_WAY_MS = 500

class History {
  readonly #told: readonly Told[]
  readonly #losses: readonly Loss[]
  /** Moments between which nothing changes about who has which slot. */
  readonly #moments: readonly { readonly at: number; readonly told: Told | null }[]

  constructor(told: readonly Told[], losses: readonly Loss[]) {
    this.#told = told
    this.#losses = losses
    const turns = losses.flatMap(({ at, until }) => [at, until])
    const all = [
      ...turns.map((at) => ({ at, told: null })),
      ...told.map((one) => ({ at: one.at, told: one })),
    ]
    this.#moments = all.sort((a, b) => a.at - b.at)
  }

  #crowded(from: number, to: number): number {
    const slots = new Map<string, { readonly name: string; readonly slots: number }>()
    const pools = new Map<string, string>()
    let [crowded, since] = [0, from]
    const isAway = (name: string, at: number): boolean =>
      this.#losses.some((loss) => loss.worker === name && loss.at <= at && at < loss.until)
    const isFull = (at: number): boolean => {
      const used = new Map<string, number>()
      for (const pool of pools.values()) used.set(pool, (used.get(pool) ?? 0) + 1)
      const here = [...slots].filter(([, own]) => !isAway(own.name, at))
      // Where no one is there at all, a worker is what is waited for.
      return here.length > 0 && here.every(([pool, own]) => (used.get(pool) ?? 0) >= own.slots)
    }
    for (const { at, told } of this.#moments) {
      if (at > to) break
      if (at > since && isFull(since)) crowded += at - since
      since = Math.max(since, at)
      if (told?.kind === 'worker' && told.pool !== null) {
        if (told.state === 'here') slots.set(told.pool, { name: told.name ?? '', slots: told.slots ?? 0 })
        else slots.delete(told.pool)
      }
      if (told?.kind === 'item' && told.trace !== null) {
        if (told.state === 'running' && told.pool !== null) pools.set(told.trace, told.pool)
        else pools.delete(told.trace)
      }
    }
    return crowded + (to > since && isFull(since) ? to - since : 0)
  }

  /** What this worker drove at that moment, by what the server had written down until then. */
  #drivenAt({ at, worker }: Loss): readonly string[] {
    const names = new Map<string, string>()
    const pools = new Map<string, string>()
    for (const told of this.#told) {
      if (told.at > at) break
      if (told.kind === 'worker' && told.pool !== null && told.state === 'here')
        names.set(told.pool, told.name ?? '')
      if (told.kind !== 'item' || told.trace === null) continue
      if (told.state === 'running' && told.pool !== null) pools.set(told.trace, told.pool)
      else pools.delete(told.trace)
    }
    return [...pools].filter(([, pool]) => names.get(pool) === worker).map(([trace]) => trace)
  }

  /** Null for one that came to its end, or was lost again, before anyone could continue. */
  #waitOf(trace: string, loss: Loss): Wait | null {
    const later = this.#told.filter((told) => told.trace === trace && told.at > loss.at)
    const end = later.find(
      ({ kind, state, at }) =>
        (kind === 'item' && state !== 'offered' && state !== 'waiting') ||
        (kind === 'grown' && at > loss.at + UNDER_WAY_MS),
    )
    if (!end) return null
    const noticed = later.find(({ state }) => state === 'offered')?.at ?? end.at
    return {
      trace,
      as: loss.as,
      ms: Math.round(end.at - loss.at),
      noticedMs: Math.round(Math.min(noticed, end.at) - loss.at),
      crowdedMs: Math.round(this.#crowded(Math.min(noticed, end.at), end.at)),
    }
  }

  waits(): readonly Wait[] {
    return this.#losses
      .filter(({ worker }) => worker !== null)
      .flatMap((loss) => this.#drivenAt(loss).map((trace) => this.#waitOf(trace, loss)))
      .filter((wait): wait is Wait => wait !== null)
  }
}

/** What the server wrote down, in its order. */
export const readTold = (url: string): Promise<readonly Told[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<Told>(
      'SELECT (extract(epoch FROM at) * 1000)::float8 AS at, kind, trace, state, pool, name, slots, type, action FROM public.told ORDER BY told.at',
    )
    return rows
  })

/** The longest without what was waited for a slot come first. */
export function waitsFor(told: readonly Told[], losses: readonly Loss[]): readonly Wait[] {
  const waits = new History(told, losses).waits()
  return [...waits].sort((a, b) => b.ms - b.crowdedMs - (a.ms - a.crowdedMs))
}
