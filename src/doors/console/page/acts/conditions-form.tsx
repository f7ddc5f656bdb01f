// The conditions of approving a proposal: up to which risk, and which of its tools and steps. Unchanged
// fields restrict nothing.

import { useState } from 'preact/hooks'
import { type Conditions, type Plan, RISKS, type Risk } from '../../../../agents/task.ts'
import { IsolatedText } from '../elements/text.tsx'

interface Restrictions {
  readonly maxRisk: Risk | null
  /** What may not be used, or not run. */
  readonly without: { readonly tools: readonly string[]; readonly steps: readonly string[] }
}

type Kind = keyof Restrictions['without']

const NO_RESTRICTIONS: Restrictions = { maxRisk: null, without: { tools: [], steps: [] } }

const namesIn = ({ required_tools: tools, steps = [] }: Plan): Readonly<Record<Kind, readonly string[]>> => ({
  tools,
  steps: steps.map(({ id }) => id),
})

/** Null where nothing is restricted. */
function conditionsOf(plan: Plan, { maxRisk, without }: Restrictions): Conditions | null {
  const names = namesIn(plan)
  const remaining = (kind: Kind): readonly string[] =>
    names[kind].filter((name) => !without[kind].includes(name))
  const conditions: Conditions = {
    ...(without.tools.length > 0 && { tools: remaining('tools') }),
    ...(maxRisk !== null && { max_risk: maxRisk }),
    ...(without.steps.length > 0 && { steps: remaining('steps') }),
  }
  return Object.keys(conditions).length === 0 ? null : conditions
}

const TITLES: Readonly<Record<Kind, string>> = { tools: 'Only with these tools', steps: 'Only these steps' }

function Names({
  kind,
  names,
  without,
  change,
}: {
  readonly kind: Kind
  readonly names: readonly string[]
  readonly without: readonly string[]
  readonly change: (without: readonly string[]) => void
}) {
  if (names.length < 2) return null
  return (
    <fieldset>
      <legend>{TITLES[kind]}</legend>
      {names.map((name) => (
        <label key={name} class="check-line">
          <input
            type="checkbox"
            checked={!without.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              change([...without.filter((one) => one !== name), ...(checked ? [] : [name])])
            }
          />{' '}
          <code>
            <IsolatedText text={name} />
          </code>
        </label>
      ))}
    </fieldset>
  )
}

export function ConditionsForm({
  plan,
  change,
}: {
  readonly plan: Plan
  readonly change: (conditions: Conditions | null) => void
}) {
  const [restrictions, setRestrictions] = useState(NO_RESTRICTIONS)
  const update = (next: Restrictions): void => {
    setRestrictions(next)
    change(conditionsOf(plan, next))
  }
  return (
    <>
      <label for="max-risk">On condition: calls of at most this risk</label>
      <select
        id="max-risk"
        class="medium"
        value={restrictions.maxRisk ?? ''}
        onChange={({ currentTarget: { value } }) =>
          update({ ...restrictions, maxRisk: RISKS.find((risk) => risk === value) ?? null })
        }
      >
        <option value="">no condition</option>
        {RISKS.slice(0, -1).map((risk) => (
          <option key={risk}>{risk}</option>
        ))}
      </select>
      <div class="condition-names">
        {(['tools', 'steps'] as const).map((kind) => (
          <Names
            key={kind}
            kind={kind}
            names={namesIn(plan)[kind]}
            without={restrictions.without[kind]}
            change={(without) =>
              update({ ...restrictions, without: { ...restrictions.without, [kind]: without } })
            }
          />
        ))}
      </div>
    </>
  )
}
