// Judges Cedar's rules without Cedar, from the JSON form that Cedar itself made of them: a process that makes
// one decision need not load four megabytes of WebAssembly for it. It supports the part of the language that
// policies over calls use, and answers only what Cedar would: where a rule goes beyond that part, or would
// cause an error, there is no answer, and Cedar is asked.

import type { Json } from '../../ledger/canonical.ts'
import {
  areEqual,
  type Entity,
  entityIn,
  type Fields,
  fieldsIn,
  holds,
  holdsAll,
  isFields,
  isLike,
  isSet,
  isTrue,
  numberIn,
  patternIn,
  readEntity,
  readValue,
  setIn,
  Undecided,
  undecided,
  type Value,
} from './cedar-values.ts'

/** One question to the rules. */
export interface Question {
  readonly principal: Entity
  readonly action: Entity
  readonly resource: Entity
  readonly attributes: Fields
  /** The parents of the resource, from the nearest to the farthest. */
  readonly holders: readonly Entity[]
  readonly context: Fields
}

export interface Judgement {
  readonly allowed: boolean
  /** The rules that decided. */
  readonly policies: readonly string[]
}

function isWithin({ resource, holders }: Question, one: Entity, other: Entity): boolean {
  const chain = [resource, ...holders]
  const from = chain.findIndex((link) => areEqual(link, one))
  return areEqual(one, other) || (from >= 0 && holds(chain.slice(from), other))
}

const isWithinAny = (question: Question, one: Entity, others: readonly Entity[]): boolean =>
  others.some((other) => isWithin(question, one, other))

/** The members of the value before a dot. */
function membersOf(expression: Json | undefined, question: Question): Fields {
  if (isFields(expression) && expression.Var === 'context') return question.context
  const entity = entityIn(evaluate(expression, question))
  return areEqual(entity, question.resource) ? question.attributes : {}
}

function memberNamed(given: Fields, question: Question): Json | undefined {
  const { left, attr } = given
  if (typeof attr !== 'string') return undecided()
  const members = membersOf(left, question)
  return Object.hasOwn(members, attr) ? members[attr] : undefined
}

type Operation = (given: Fields, question: Question) => Value

const left: Operation = (given, question) => evaluate(given.left, question)
const right: Operation = (given, question) => evaluate(given.right, question)
const compared =
  (holdsFor: (one: number, other: number) => boolean): Operation =>
  (given, question) =>
    holdsFor(numberIn(left(given, question)), numberIn(right(given, question)))

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '!': ({ arg }, question) => !isTrue(evaluate(arg, question)),
  '&&': (given, question) => isTrue(left(given, question)) && isTrue(right(given, question)),
  '||': (given, question) => isTrue(left(given, question)) || isTrue(right(given, question)),
  '==': (given, question) => areEqual(left(given, question), right(given, question)),
  '!=': (given, question) => !areEqual(left(given, question), right(given, question)),
  '<': compared((one, other) => one < other),
  '<=': compared((one, other) => one <= other),
  '>': compared((one, other) => one > other),
  '>=': compared((one, other) => one >= other),
  contains: (given, question) => holds(setIn(left(given, question)), right(given, question)),
  containsAll: (given, question) => holdsAll(setIn(left(given, question)), setIn(right(given, question))),
  containsAny(given, question) {
    const set = setIn(left(given, question))
    return setIn(right(given, question)).some((one) => holds(set, one))
  },
  in(given, question) {
    const one = entityIn(left(given, question))
    const others = right(given, question)
    return isWithinAny(question, one, isSet(others) ? others.map(entityIn) : [entityIn(others)])
  },
  is(given, question) {
    const one = entityIn(left(given, question))
    if (one.type !== given.entity_type) return false
    return given.in === undefined || isWithin(question, one, entityIn(evaluate(given.in, question)))
  },
  like(given, question) {
    const text = left(given, question)
    return typeof text === 'string' ? isLike(text, patternIn(given.pattern)) : undecided()
  },
  has: (given, question) => memberNamed(given, question) !== undefined,
  '.': (given, question) => readValue(memberNamed(given, question)),
  'if-then-else': (given, question) =>
    evaluate(isTrue(evaluate(given.if, question)) ? given.then : given.else, question),
}

function evaluate(expression: Json | undefined, question: Question): Value {
  const [[name, given] = ['', null], ...more] = Object.entries(fieldsIn(expression))
  if (more.length > 0) return undecided()
  if (name === 'Value') return readValue(given)
  if (name === 'Set') return Array.isArray(given) ? given.map((one) => evaluate(one, question)) : undecided()
  if (name === 'Var')
    return given === 'principal' || given === 'action' || given === 'resource' ? question[given] : undecided()
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
  return operation ? operation(fieldsIn(given), question) : undecided()
}

/** Whether the head of a rule matches. */
function fitsHead(scope: Json | undefined, one: Entity, question: Question): boolean {
  const { op, entity, entities, entity_type: type, in: within } = fieldsIn(scope)
  const isIn = (named: Json | undefined): boolean => isWithin(question, one, readEntity(named))
  switch (op) {
    case 'All':
      return true
    case '==':
      return areEqual(one, readEntity(entity))
    case 'in':
      return Array.isArray(entities) ? entities.some(isIn) : isIn(entity)
    case 'is':
      return one.type === type && (within === undefined || isIn(fieldsIn(within).entity))
    default:
      return undecided()
  }
}

function isSatisfied({ principal, action, resource, conditions }: Fields, question: Question): boolean {
  const fits =
    fitsHead(principal, question.principal, question) &&
    fitsHead(action, question.action, question) &&
    fitsHead(resource, question.resource, question)
  if (!fits) return false
  if (!Array.isArray(conditions)) return undecided()
  return conditions.every((condition: Json) => {
    const { kind, body } = fieldsIn(condition)
    if (kind !== 'when' && kind !== 'unless') return undecided()
    return isTrue(evaluate(body, question)) === (kind === 'when')
  })
}

/** Rules in Cedar's JSON form, by their ids. Null where only Cedar can tell. */
export function judgeByRules(rules: Readonly<Record<string, Json>>, question: Question): Judgement | null {
  const { principal, action, resource, holders } = question
  try {
    if (![principal, action, resource, ...holders].every(({ id }) => id.isWellFormed())) return null
    const satisfied = Object.entries(rules)
      .map(([id, rule]) => ({ id, rule: fieldsIn(rule) }))
      .filter(({ rule }) => isSatisfied(rule, question))
    const named = (effect: string): string[] =>
      satisfied.filter(({ rule }) => rule.effect === effect).map(({ id }) => id)
    const [permits, forbids] = [named('permit'), named('forbid')]
    if (permits.length + forbids.length < satisfied.length) return null
    return forbids.length > 0
      ? { allowed: false, policies: forbids }
      : { allowed: permits.length > 0, policies: permits }
  } catch (error) {
    if (error instanceof Undecided) return null
    throw error
  }
}
