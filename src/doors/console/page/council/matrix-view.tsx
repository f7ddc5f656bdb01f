// Round two as a matrix: who said what about which opinion, under which letter each reviewer saw each opinion. No one is shown
// its own.

import { signal } from '@preact/signals'
import { sha256 } from '../../../../browser/bytes.ts'
import type { CouncilResult } from '../../../../council/council-result.ts'
import { labelsFor } from '../../../../council/prompts/shown-opinions.ts'
import type { CouncilReview, TargetReview } from '../../../../council/replies/review.ts'
import type { OpenedCouncil } from '../../../../council/state.ts'
import { stanceOf } from '../../../../render/report/document.ts'
import { Scroll } from '../elements/scroll.tsx'
import { count, IsolatedText } from '../elements/text.tsx'
import { Citable, CitedText, citedTarget, List } from './citations.tsx'
import { EventLink } from './opinion-view.tsx'

const chosenCell = signal<string | null>(null)

const cellKey = (review: CouncilReview, opinion: string): string => `${review.id}/${opinion}`

const RANKS = ['critical', 'high', 'medium', 'low'] as const

function critiqueCounts({ critiques }: TargetReview): string {
  const counts = RANKS.flatMap((rank) => {
    const n = critiques.filter(({ severity }) => severity === rank).length
    return n > 0 ? [`${n} ${rank}`] : []
  })
  return counts.length > 0 ? counts.join(', ') : 'no critique'
}

/** The number of the first critique of a target, as citations count them over all targets of a review. */
const firstCritique = (review: CouncilReview, target: TargetReview): number =>
  review.targets
    .slice(0, review.targets.indexOf(target))
    .reduce((sum, { critiques }) => sum + critiques.length, 1)

const DIMENSIONS = ['errors', 'omissions', 'risks', 'counter_arguments', 'assumptions'] as const

function CellDetail({ review, target }: { readonly review: CouncilReview; readonly target: TargetReview }) {
  const from = firstCritique(review, target)
  return (
    <div class="review-detail">
      <h3>
        <IsolatedText text={review.seat} /> on {target.opinion}
      </h3>
      {target.critiques.map((critique, i) => (
        <Citable key={`${review.id}.c${from + i}`} id={`${review.id}.c${from + i}`} class="cited-part">
          <span class={`severity severity-${critique.severity}`}>{critique.severity}</span> {critique.kind}:{' '}
          <IsolatedText text={critique.description} />
          {critique.correction !== '' && (
            <span class="muted">
              {' '}
              Instead: <IsolatedText text={critique.correction} />
            </span>
          )}{' '}
          <code class="muted">
            {review.id}.c{from + i}
          </code>
        </Citable>
      ))}
      {DIMENSIONS.map((name) => (
        <CitedText key={name} title={`${name.replace('_', '-')}:`} text={target.dimensions[name]} />
      ))}
      <List title="Agrees" items={target.agreement_points} />
      <List
        title="Disagrees"
        items={target.disagreement_points.map(
          ({ topic, own_position, why }) => `${topic}: ${own_position} (${why})`,
        )}
      />
    </div>
  )
}

export function MatrixView({
  result,
  state,
}: {
  readonly result: CouncilResult
  readonly state: OpenedCouncil
}) {
  const [first, { reviews, failed_providers: failed }] = result.rounds
  if (reviews.length === 0 && failed.length === 0) return null
  const id = citedTarget.value?.id ?? ''
  const opened = reviews.flatMap((review) =>
    review.targets
      .filter((target) => {
        const from = firstCritique(review, target)
        const isCited = target.critiques.some((_, i) => `${review.id}.c${from + i}` === id)
        return isCited || id === review.id || chosenCell.value === cellKey(review, target.opinion)
      })
      .map((target) => ({ review, target })),
  )
  return (
    <section aria-labelledby="reviews-title">
      <h2 id="reviews-title">Reviews: what each seat said about the others</h2>
      <Scroll>
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Reviewer</th>
              {first.opinions.map((opinion) => (
                <th key={opinion.id} scope="col">
                  <IsolatedText text={opinion.seat} /> <code class="muted">{opinion.id}</code>
                </th>
              ))}
              <th scope="col">Position after reviews</th>
            </tr>
          </thead>
          <tbody>
            {reviews.map((review) => {
              const labels = labelsFor(sha256, state, review.seat)
              const letterOf = (opinion: string): string =>
                [...labels].find(([, named]) => named === opinion)?.[0] ?? ''
              return (
                <tr key={review.id}>
                  <th scope="row">
                    <Citable id={review.id}>
                      <IsolatedText text={review.seat} /> <code class="muted">{review.id}</code>
                    </Citable>
                    <EventLink event={review.event} />
                  </th>
                  {first.opinions.map((opinion) => {
                    const target = review.targets.find((one) => one.opinion === opinion.id)
                    if (opinion.seat === review.seat)
                      return (
                        <td key={opinion.id} class="muted">
                          its own: not shown
                        </td>
                      )
                    if (!target)
                      return (
                        <td key={opinion.id} class="muted">
                          said nothing
                        </td>
                      )
                    const key = cellKey(review, opinion.id)
                    return (
                      <td key={opinion.id}>
                        <button
                          type="button"
                          class="link"
                          aria-expanded={chosenCell.value === key}
                          onClick={() => {
                            chosenCell.value = chosenCell.value === key ? null : key
                          }}
                        >
                          {critiqueCounts(target)}
                        </button>
                        <span class="small muted"> {count(target.agreement_points.length, 'agreement')}</span>
                        <span class="small muted block">saw it as “{letterOf(opinion.id)}”</span>
                      </td>
                    )
                  })}
                  <td>
                    <strong class={`stance stance-${review.stance_after}`}>
                      {stanceOf(result, review.stance_after)}
                    </strong>
                    {review.changed_position && <span class="warning small"> changed</span>}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroll>
      {failed.map(({ provider, error_message }) => (
        <p key={provider} class="bad small">
          <IsolatedText text={`${provider} gave no review: ${error_message}`} />
        </p>
      ))}
      {opened.map(({ review, target }) => (
        <CellDetail key={cellKey(review, target.opinion)} review={review} target={target} />
      ))}
    </section>
  )
}
