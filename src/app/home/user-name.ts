// What to call the person at the keyboard when he did not say. A label, never an authority.

import { userInfo } from 'node:os'

export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user id without an account, as containers have them.
    return process.env.USER || 'someone'
  }
}
