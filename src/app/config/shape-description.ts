// What a shape accepts, in words, for whoever writes about settings: kept beside the shapes, so that the reference is
// made from the same values that judge a file.

export interface Form {
  /** `a whole number from 1 on`, `true or false`, `one of: a, b`. */
  readonly says: string
  /** The shapes of what stands below, by name. */
  readonly fields?: Readonly<Record<string, object>>
  /** The shape of every entry, in a list or under names of one's own. */
  readonly each?: object
  readonly needs?: readonly string[]
}

const FORMS = new WeakMap<object, Form>()

/** The same shape, with its form known. */
export function formed<Shape extends object>(shape: Shape, form: Form): Shape {
  FORMS.set(shape, form)
  return shape
}

export const formOf = (shape: object): Form => FORMS.get(shape) ?? { says: 'text' }
