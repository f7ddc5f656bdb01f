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

function isWithin({ resource, holders }: Question, entity: Entity, other: Entity): boolean {
  const chain = [resource, ...holders]
  const from = chain.findIndex((link) => areEqual(link, entity))
  return areEqual(entity, other) || (from >= 0 && holds(chain.slice(from), other))
}

const isWithinAny = (question: Question, entity: Entity, others: readonly Entity[]): boolean =>
  others.some((other) => isWithin(question, entity, other))

/** The members of the value before a dot. */
function membersOf(expression: Json | undefined, question: Question): Fields {
  if (isFields(expression) && expression.Var === 'context') return question.context
  const entity = entityIn(evaluate(expression, question))
  return areEqual(entity, question.resource) ? question.attributes : {}
}

function memberNamed(fields: Fields, question: Question): Json | undefined {
  const { left, attr } = fields
  if (typeof attr !== 'string') return undecided()
  const members = membersOf(left, question)
  return Object.hasOwn(members, attr) ? members[attr] : undefined
}

type Operation = (fields: Fields, question: Question) => Value

const leftOf: Operation = (fields, question) => evaluate(fields.left, question)
const rightOf: Operation = (fields, question) => evaluate(fields.right, question)
const compared =
  (holdsFor: (one: number, other: number) => boolean): Operation =>
  (fields, question) =>
    holdsFor(numberIn(leftOf(fields, question)), numberIn(rightOf(fields, question)))

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '!': ({ arg }, question) => !isTrue(evaluate(arg, question)),
  '&&': (fields, question) => isTrue(leftOf(fields, question)) && isTrue(rightOf(fields, question)),
  '||': (fields, question) => isTrue(leftOf(fields, question)) || isTrue(rightOf(fields, question)),
  '==': (fields, question) => areEqual(leftOf(fields, question), rightOf(fields, question)),
  '!=': (fields, question) => !areEqual(leftOf(fields, question), rightOf(fields, question)),
  '<': compared((one, other) => one < other),
  '<=': compared((one, other) => one <= other),
  '>': compared((one, other) => one > other),
  '>=': compared((one, other) => one >= other),
  contains: (fields, question) => holds(setIn(leftOf(fields, question)), rightOf(fields, question)),
  containsAll: (fields, question) =>
    holdsAll(setIn(leftOf(fields, question)), setIn(rightOf(fields, question))),
  containsAny(fields, question) {
    const set = setIn(leftOf(fields, question))
    return setIn(rightOf(fields, question)).some((one) => holds(set, one))
  },
  in(fields, question) {
    const entity = entityIn(leftOf(fields, question))
    const others = rightOf(fields, question)
    return isWithinAny(question, entity, isSet(others) ? others.map(entityIn) : [entityIn(others)])
  },
  is(fields, question) {
    const entity = entityIn(leftOf(fields, question))
    if (entity.type !== fields.entity_type) return false
    return fields.in === undefined || isWithin(question, entity, entityIn(evaluate(fields.in, question)))
  },
  like(fields, question) {
    const text = leftOf(fields, question)
    return typeof text === 'string' ? isLike(text, patternIn(fields.pattern)) : undecided()
  },
  has: (fields, question) => memberNamed(fields, question) !== undefined,
  '.': (fields, question) => readValue(memberNamed(fields, question)),
  'if-then-else': (fields, question) =>
    evaluate(isTrue(evaluate(fields.if, question)) ? fields.then : fields.else, question),
}

function evaluate(expression: Json | undefined, question: Question): Value {
  const [[name, operand] = ['', null], ...more] = Object.entries(fieldsIn(expression))
  if (more.length > 0) return undecided()
  if (name === 'Value') return readValue(operand)
  if (name === 'Set')
    return Array.isArray(operand) ? operand.map((one) => evaluate(one, question)) : undecided()
  if (name === 'Var')
    return operand === 'principal' || operand === 'action' || operand === 'resource'
      ? question[operand]
      : undecided()
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
  return operation ? operation(fieldsIn(operand), question) : undecided()
}

/** Whether the head of a rule matches. */
function fitsHead(scope: Json | undefined, subject: Entity, question: Question): boolean {
  const { op, entity, entities, entity_type: type, in: within } = fieldsIn(scope)
  const isIn = (named: Json | undefined): boolean => isWithin(question, subject, readEntity(named))
  switch (op) {
    case 'All':
      return true
    case '==':
      return areEqual(subject, readEntity(entity))
    case 'in':
      return Array.isArray(entities) ? entities.some(isIn) : isIn(entity)
    case 'is':
      return subject.type === type && (within === undefined || isIn(fieldsIn(within).entity))
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
