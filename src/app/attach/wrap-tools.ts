// Tools of others' making in the shapes that are common: functions by name, tools of the AI SDK (`execute`) and of LangChain
// and LangGraph (`name` and `invoke`). Only what makes the call is put in the place of the original; everything else of a
// tool stays as it is, so that its users see no difference.

import type { AccountableSession } from './accountable.ts'

type Fields = { readonly [name: string]: unknown }
type Callable = (...args: unknown[]) => unknown

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isCallable = (value: unknown): value is Callable => typeof value === 'function'

/** The original with one member replaced. */
const withMember = (tool: object, member: string, by: Callable): object =>
  new Proxy(tool, {
    get(target, name, receiver) {
      if (name === member) return by
      const value: unknown = Reflect.get(target, name, target)
      // Private members of a class are reached through the original alone.
      return isCallable(value) && receiver !== target ? value.bind(target) : value
    },
  })

/** A LangChain tool is called with its input, or with the whole call of a model. */
function langChainCall(argument: unknown): { readonly input: unknown; readonly call: string | null } {
  const { type, args, id } = isFields(argument) ? argument : {}
  if (type !== 'tool_call') return { input: argument, call: null }
  return { input: args, call: typeof id === 'string' ? id : null }
}

const descriptionOf = (tool: Fields): { readonly description?: string } =>
  typeof tool.description === 'string' ? { description: tool.description } : {}

function wrapped(name: string, tool: unknown, session: AccountableSession): unknown {
  if (isCallable(tool))
    return (...args: unknown[]) =>
      session.run({ tool: name, input: args.length === 1 ? args[0] : args }, () => tool(...args))
  if (!isFields(tool)) return tool
  const { execute, invoke } = tool
  if (isCallable(execute))
    return withMember(tool, 'execute', (input, options) => {
      const { toolCallId } = isFields(options) ? options : {}
      const call = typeof toolCallId === 'string' ? toolCallId : null
      return session.run({ tool: name, input, call, ...descriptionOf(tool) }, () =>
        execute.call(tool, input, options),
      )
    })
  if (isCallable(invoke))
    return withMember(tool, 'invoke', (argument, ...rest) =>
      session.run({ tool: name, ...langChainCall(argument), ...descriptionOf(tool) }, () =>
        invoke.call(tool, argument, ...rest),
      ),
    )
  return tool
}

/** The same tools, each call of which goes through the session: a record by name, or a list of tools that have names. */
export function accountable<Tools extends object>(tools: Tools, session: AccountableSession): Tools {
  if (Array.isArray(tools))
    return tools.map((tool: unknown) =>
      wrapped(isFields(tool) && typeof tool.name === 'string' ? tool.name : 'tool', tool, session),
    ) as Tools & unknown[]
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, wrapped(name, tool, session)]),
  ) as Tools
}
