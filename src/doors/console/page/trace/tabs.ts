// The tabs of a trace, in their order: the view of its protocol first, then what every trace has.

export interface Tab {
  readonly path: string
  readonly title: string
}

const ALL_TABS: readonly Tab[] = [
  { path: 'events', title: 'Events' },
  { path: 'verify', title: 'Verify' },
  { path: 'result', title: 'Result' },
  { path: 'keep', title: 'Export' },
]

const POOL: readonly Tab[] = [
  { path: 'map', title: 'Map' },
  { path: 'branches', title: 'Branches' },
]

const VIEW_TABS: Readonly<Record<string, Tab>> = {
  'council/1': { path: '', title: 'Council' },
  'agents/1': { path: '', title: 'Session' },
  'exchange/1': { path: '', title: 'Pool' },
  'eval/1': { path: '', title: 'Evaluation' },
}

/** Whether a trace of this protocol has a view of its own. */
export const hasView = (protocol: string): boolean => protocol in VIEW_TABS

export function tabsOf(protocol: string | null): readonly Tab[] {
  const first = protocol === null ? undefined : VIEW_TABS[protocol]
  if (first) return protocol === 'exchange/1' ? [first, ...POOL, ...ALL_TABS] : [first, ...ALL_TABS]
  return ALL_TABS.filter(({ path }) => path !== 'result')
}
