// Implements the port by which a run reaches outside its home: each part is loaded when it is first used.

import type { OutsideOf } from '../home/home.ts'

export const bySettings: OutsideOf = (directory, ports) => ({
  notify: async (notice) => (await import('./notify.ts')).notifyAs(directory, notice),
  finished: async (trace) => (await import('./after-finish.ts')).afterFinish(directory, ports(), trace),
})
