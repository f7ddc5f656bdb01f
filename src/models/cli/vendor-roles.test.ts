// Every role of every protocol, asked through each vendor's command. What a stand-in was started with is compared with
// what the vendor behind the command documents: Codex hands a schema on as it is, the others are told it in words.

import { describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { openStub, type StubCall, type Vendor } from '../../../test/fakes/cli/stub.ts'
import { openaiSchemaFault } from '../../../test/fakes/limits/openai.ts'
import { boundBy, VENDOR_ROLES, type VendorRole } from '../../../test/support/roles.ts'
import type { Model } from '../model.ts'
import { claudeModel } from './claude.ts'
import type { CliOptions } from './cli-model.ts'
import { codexModel } from './codex.ts'
import { geminiModel } from './gemini.ts'

interface Command {
  readonly vendor: Vendor
  readonly make: (options: CliOptions) => Model
  /** The schema that the command was given, and what its vendor says of it. */
  judge(call: StubCall): { readonly schema: unknown; readonly fault: unknown }
}

const flag = ({ args }: StubCall, name: string): string | undefined =>
  args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1)

const COMMANDS: readonly Command[] = [
  { vendor: 'claude', make: claudeModel, judge: () => ({ schema: undefined, fault: null }) },
  {
    vendor: 'codex',
    make: codexModel,
    judge(call) {
      const file = flag(call, '--output-schema')
      const text = file === undefined ? undefined : call.files.find((one) => one.startsWith('{"type"'))
      const schema: unknown = text === undefined ? undefined : JSON.parse(text)
      return {
        schema,
        fault: schema === undefined ? null : openaiSchemaFault('codex_output_schema', schema, true),
      }
    },
  },
  { vendor: 'gemini', make: geminiModel, judge: () => ({ schema: undefined, fault: null }) },
]

async function askAs({ vendor, make, judge }: Command, role: VendorRole): Promise<void> {
  const text = typeof role.answer === 'string' ? role.answer : JSON.stringify(role.answer)
  const stub = await openStub(vendor, [{ act: 'answer', text, usage: { inputTokens: 10, outputTokens: 5 } }])
  try {
    const mind = make({
      name: vendor,
      model: 'fake-1',
      program: stub.program,
      apiKey: async () => PLANTED_SECRET,
    })
    const outcome = await mind.ask({
      system: 'You have a role.',
      parts: [{ name: 'question', text: 'Do what your role does.', quotes: null, template: null }],
      schema: role.schema,
      limits: { timeoutMs: 60_000, maxOutputTokens: null, maxReplyBytes: 1 << 20 },
      signal: new AbortController().signal,
    })
    expect(outcome, `${role.name}: ${JSON.stringify(outcome)}`).toMatchObject({ ok: true })
    const call = stub.calls().find(({ input }) => input.includes('Do what your role does.'))
    if (call === undefined) throw new Error(`${vendor} was not asked as ${role.name}`)
    const { schema, fault } = judge(call)
    expect(fault, role.name).toBeNull()
    if (schema === undefined && role.schema !== null)
      expect(call.input).toContain('It must fit this JSON schema')
    const bound = typeof role.answer === 'string' ? text : JSON.stringify(boundBy(schema, role.answer))
    const reading = role.read(bound)
    expect(reading, role.name).toMatchObject({ outcome: 'kept' })
    if (typeof role.answer !== 'string') expect(reading).toHaveProperty('value', role.answer)
  } finally {
    await stub.dispose()
  }
}

describe.each(COMMANDS)('through the command of $vendor', (command) => {
  it('VOX-17 every role is asked in the dialect of its vendor and read', async () => {
    const rest = [...VENDOR_ROLES]
    const work = async (): Promise<void> => {
      for (let role = rest.shift(); role; role = rest.shift()) await askAs(command, role)
    }
    await Promise.all([work(), work(), work()])
  })
})
