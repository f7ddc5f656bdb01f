// Counts of fates, by habit and in total.

function counted(replies, fates) {
  const own = replies.map(({ id }) => fates.get(id))
  const kept = own.filter(({ came }) => came === 'kept').length
  const other = own.filter(({ came }) => came === 'misread').length
  const calls = own.reduce((sum, fate) => sum + fate.calls, 0)
  return [kept, other, calls, kept === 0 ? '–' : (calls / kept).toFixed(2)].map(String)
}

const COUNTS = ['kept', 'other', 'calls', 'each']
const WIDTH = 6
const cells = (texts) => texts.map((text) => text.padStart(WIDTH)).join('')

function lines(sides, first, rows) {
  const names = Object.keys(sides)
  const wide = Math.max(first.length, ...rows.map(([name]) => name.length))
  return [
    `${' '.repeat(wide + WIDTH)}${names.map((name) => `   ${name.padEnd(COUNTS.length * WIDTH)}`).join('')}`.trimEnd(),
    `${first.padEnd(wide)}${cells(['of'])}${names.map(() => `   ${cells(COUNTS)}`).join('')}`,
    ...rows.map(([name, replies]) => {
      const counts = Object.values(sides).map((fates) => `   ${cells(counted(replies, fates))}`)
      return replies.length === 0
        ? name
        : `${name.padEnd(wide)}${cells([String(replies.length)])}${counts.join('')}`
    }),
  ].join('\n')
}

/** Each group of habits with those that the replies show. */
export function byHabit(replies, groups, sides) {
  const rows = Object.entries(groups).flatMap(([group, habits]) => {
    const shown = Object.keys(habits)
      .map((habit) => [`  ${habit}`, replies.filter((reply) => reply.habits.includes(habit))])
      .filter(([, own]) => own.length > 0)
    return [[group, []], ...shown]
  })
  return lines(sides, 'habit', rows)
}

/** By what must be read, and of all. */
export function inTotal(replies, sides) {
  const of = (...outcomes) => replies.filter(({ expect }) => outcomes.includes(expect.outcome))
  return lines(sides, 'in total', [
    ['an answer, at most careless in form', of('kept')],
    ['an answer in prose', of('prose')],
    ['something is missing', of('missing')],
    ['a refusal', of('refused')],
    ['all', replies],
  ])
}
