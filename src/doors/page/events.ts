// The events of the trace, in order, one page of them at a time: ten thousand rows would be too slow. A row
// says who recorded what and when; its content is built when it is opened. A failure is marked where it is.

import { artifactsOf, type Header } from '../../ledger/event.ts'
import { occurrence, type ReadEvent, type ReadSection } from '../../ledger/verify/inquire.ts'
import { followActs, tellOf } from '../../render/story/story.ts'
import { ifReadable, type StoryLine } from '../../render/story/story-line.ts'
import { artifactView } from './artifact-view.ts'
import { button, type Child, count, fill, fold, foreignText, h, mono, rows } from './dom.ts'
import type { PageContext } from './examined.ts'
import { findingView } from './findings.ts'
import { longText } from './long-text.ts'
import { excerpt, payloadView } from './payload.ts'

const PAGE = 200

const clock = (at: string): HTMLElement => {
  const time = h('time', '', `${at.slice(0, 10)} ${at.slice(11, 19)}`)
  time.dateTime = at
  time.title = `${at} (UTC)`
  return time
}

function absence(scene: PageContext, read: ReadEvent): Child {
  const redaction = scene.erased.get(read.id)
  if (redaction) return ['Erased by ', foreignText(redaction.by), ': ', foreignText(redaction.reason)]
  if (scene.inquiry.bundle.content === 'none') return 'The content was left out of this file: headers only.'
  return 'The content is missing, and no redaction says why.'
}

const LINE = 400
const MORE = 20

const clipped = (text: string): string =>
  text.length > LINE ? `${text.slice(0, LINE).toWellFormed()}…` : text

/** A description of the event for people; null where it is listed by its type. */
const storyOf = ({ header, payload, event }: ReadEvent, act: string | null): StoryLine | null =>
  typeof header === 'string' || typeof payload !== 'object'
    ? null
    : tellOf(header.protocol, occurrence(header, event.hash, payload), () => act)

/** The subject of each intent of a section, by the id of each event that names one. */
function actsIn({ events }: ReadSection): ReadonlyMap<string, string> {
  const acts = followActs()
  const stories = events.flatMap(({ id, header, payload, event }) => {
    if (typeof header === 'string' || typeof payload !== 'object') return []
    const act = ifReadable(() => acts(occurrence(header, event.hash, payload)))
    return act === null ? [] : [[id, act] as const]
  })
  return new Map(stories)
}

function storyView(read: ReadEvent, act: string | null): Child {
  const story = storyOf(read, act)
  if (story === null || typeof read.header === 'string') return null
  const more = story.more.slice(0, MORE).map((each) => h('p', '', foreignText(clipped(each))))
  return [h('p', 'type', read.header.type), more]
}

function contentView(scene: PageContext, read: ReadEvent): Child {
  const { payload } = read
  if (payload === null) return h('p', 'muted', absence(scene, read))
  if (typeof payload === 'string') return h('p', 'fail', payload)
  return [payloadView(payload), artifactsOf(payload).map((artifact) => artifactView(scene, artifact))]
}

const headerView = (read: ReadEvent, header: Header): HTMLElement =>
  rows([
    ['time', `${header.at} (UTC)`],
    ['event hash', mono(read.event.hash)],
    ['previous', mono(header.prev)],
    ['payload hash', mono(header.payload_hash)],
    ['key', mono(header.actor.key)],
    ['registry', [`at size ${header.registry.size} `, mono(header.registry.hash)]],
  ])

function inside(scene: PageContext, read: ReadEvent, act: string | null): Child {
  const failures = scene.failures.get(read.id) ?? []
  const { header } = read
  return [
    failures.map((failure) => findingView(scene, failure, false)),
    storyView(read, act),
    contentView(scene, read),
    typeof header === 'string'
      ? longText(new TextDecoder().decode(read.event.header), 'text code')
      : fold('header', h('summary', '', 'Header'), () => headerView(read, header)),
  ]
}

function rowOf(scene: PageContext, read: ReadEvent, index: number, act: string | null): HTMLDetailsElement {
  const failures = scene.failures.get(read.id) ?? []
  const worst = failures.some(({ severity }) => severity === 'error') ? 'fail' : 'warning'
  const codes = [...new Set(failures.map(({ code }) => code))].map((code) => h('span', `code ${worst}`, code))
  const { header, payload } = read
  const about = typeof payload === 'object' && payload ? excerpt(payload) : null
  const story = storyOf(read, act)
  const summary =
    typeof header === 'string'
      ? h(
          'summary',
          '',
          h('span', 'seq', String(index)),
          h('span', 'what', h('b', '', 'unreadable header'), codes),
        )
      : h(
          'summary',
          '',
          h('span', 'seq', String(header.seq)),
          h(
            'span',
            'what',
            story === null
              ? h('b', '', header.type)
              : h('span', `told ${story.tone}`, foreignText(clipped(story.text))),
            codes,
            story !== null || about === null ? null : [' ', h('span', 'about', foreignText(about))],
          ),
          h('span', 'who', header.actor.agent, h('span', 'role', header.actor.role)),
          clock(header.at),
        )
  return fold(failures.length > 0 ? `event ${worst}` : 'event', summary, () => inside(scene, read, act))
}

/** The rows of one section with the controls to move among them. */
export class EventList {
  readonly element = h('div', 'list')
  readonly #scene: PageContext
  readonly #section: ReadSection
  readonly #list = h('div', 'events')
  readonly #bars = [h('nav', 'pager'), h('nav', 'pager')] as const
  readonly #acts: ReadonlyMap<string, string>
  #from = 0

  constructor(scene: PageContext, section: ReadSection) {
    this.#scene = scene
    this.#section = section
    this.#acts = actsIn(section)
    for (const bar of this.#bars) bar.setAttribute('aria-label', 'Pages of events')
    fill(this.element, this.#bars[0], this.#list, this.#bars[1])
    this.#show(0)
  }

  indexOf(event: string): number {
    return this.#section.events.findIndex(({ id }) => id === event)
  }

  reveal(index: number): void {
    this.#show(index - (index % PAGE))
    const row = this.#list.children[index % PAGE]
    if (!(row instanceof HTMLDetailsElement)) return
    row.open = true
    row.scrollIntoView({ block: 'center' })
    row.querySelector('summary')?.focus({ preventScroll: true })
  }

  #show(from: number): void {
    this.#from = from
    const { events } = this.#section
    fill(
      this.#list,
      events
        .slice(from, from + PAGE)
        .map((read, i) => rowOf(this.#scene, read, from + i, this.#acts.get(read.id) ?? null)),
    )
    for (const bar of this.#bars) {
      bar.hidden = events.length <= PAGE
      fill(bar, this.#controls())
    }
  }

  #controls(): Child {
    const { length } = this.#section.events
    const to = Math.min(this.#from + PAGE, length)
    const earlier = button('← Earlier', '', () => this.#turn(-PAGE))
    const later = button('Later →', '', () => this.#turn(PAGE))
    earlier.disabled = this.#from === 0
    later.disabled = to === length
    const where = `${(this.#from + 1).toLocaleString('en')}–${to.toLocaleString('en')} of ${count(length, 'event')}`
    return [earlier, h('span', 'muted', where), later]
  }

  #turn(by: number): void {
    this.#show(this.#from + by)
    this.element.scrollIntoView({ block: 'start' })
    this.#list.querySelector('summary')?.focus({ preventScroll: true })
  }
}
