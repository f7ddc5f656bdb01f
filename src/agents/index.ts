// What the rest of Witan sees of accountable sessions.

export * from './events.ts'
export * from './replies.ts'
export * from './task.ts'
