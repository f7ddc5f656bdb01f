// Where the reader says whose record this should be. The page never fills it in: a pin is worth something
// only if it came over another channel than the file.

import { readTrust } from '../../browser/trust-text.ts'
import { isWitanError } from '../../ledger/errors.ts'
import type { Trust } from '../../ledger/verify/inquire.ts'
import { button, fill, h, section } from './dom.ts'

export function trustForm(check: (trust: Trust) => Promise<void>): HTMLElement {
  const field = h('textarea', '')
  field.id = 'trust'
  field.rows = 3
  field.spellcheck = false
  field.autocomplete = 'off'
  field.setAttribute('autocapitalize', 'off')
  field.setAttribute('aria-describedby', 'trust-help trust-fault')
  const label = h('label', '', 'Registry key or checkpoint text')
  label.htmlFor = field.id
  const help = h(
    'p',
    'muted',
    'Ask the people who recorded this for their registry key (registry.vkey in their home), or take a checkpoint that you saved earlier. It must come by another way than this file: a key copied from the file you are checking proves nothing.',
  )
  help.id = 'trust-help'
  const fault = h('p', 'fail')
  fault.id = 'trust-fault'
  fault.setAttribute('role', 'alert')

  const apply = async (): Promise<void> => {
    fill(fault)
    let trust: Trust
    try {
      trust = readTrust(field.value)
    } catch (error) {
      if (!isWitanError(error)) throw error
      fill(fault, `${error.message} ${error.next}`)
      field.focus()
      return
    }
    await check(trust)
  }
  const submit = button('Check against it', 'primary', () => void apply())
  return section('pin', 'Who signed this?', help, label, field, fault, submit)
}
