// Everything that a session uses on this machine: tools within what operator and task both grant, the
// policies of both, the models that the task names, and the verifier.

import { readFile } from 'node:fs/promises'
import type { AgentsKit, PolicyInForce } from '../../clerk/performers/agents/ports.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import { canonicalize, type Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import {
  confine,
  factsOf,
  forbiddenHere,
  isProfile,
  openTools,
  type Policy,
  type PolicyFile,
  profileFile,
  type ToolDefinition,
  type Toolset,
} from '../../tools/index.ts'
import { inputFault } from '../../tools/input-fault.ts'
import { loadCedarForFew } from '../../tools/policy/cedar.ts'
import { openPolicy } from '../../tools/policy/parsed-policy.ts'
import type { Settings } from '../config/config.ts'
import type { Home } from '../home/home.ts'
import { unheldLimits } from './held-limits.ts'
import { commandGrant, findOperator, hostGrant, type Operator } from './operator-grants.ts'
import { verifierOf } from './own-audit.ts'
import { serversFor } from './session-servers.ts'
import type { TaskFile } from './task-file.ts'

export interface SessionEquipment extends Pick<AgentsKit, 'toolsets' | 'policy' | 'verify'> {
  readonly operator: Operator
  readonly offered: readonly ToolDefinition[]
  /** Limits that are set but not enforced as set, as text; null when there are none. */
  readonly unheld: string | null
  /** The policies in force, as recorded. */
  readonly policyText: string
  close(): Promise<void>
}

async function policyFile(name: string): Promise<PolicyFile> {
  if (isProfile(name)) return profileFile(name)
  const text = await readFile(name, 'utf8').catch((error: Error) => {
    throw new WitanError(
      'FILE_UNREADABLE',
      `the policy ${name} cannot be read: ${error.message}`,
      'Correct policy:.',
    )
  })
  return { name: name.split('/').at(-1) ?? name, text }
}

async function toolsetFor(
  home: Home,
  task: TaskFile,
  operator: Operator,
  settings: Settings,
): Promise<Toolset> {
  const { bounds, refused } = await confine(operator.bounds, {
    workspace: task.workspace,
    tools: task.tools ?? [],
    ...(task.hosts && { hosts: task.hosts.map(hostGrant) }),
    ...(task.commands && { commands: task.commands.map(commandGrant) }),
  })
  if (refused.length > 0) {
    const next = `Grant it under agents: in the settings of the home, or run \`witan trust ${task.file}\` after reading it.`
    throw new WitanError(
      'FILE_UNTRUSTED',
      `the task asks for what was not granted: ${refused.join(', ')}`,
      next,
    )
  }
  const { withoutSecrets } = await import('../../context/clean.ts')
  const clean = async (text: string) => {
    const cleaned = await withoutSecrets(text)
    return { text: cleaned.text, removed: cleaned.removed.length }
  }
  const described = { ...settings.mcpServers, ...task.mcp_servers }
  const servers = serversFor(described, operator, process.env)
  return openTools({ bounds, forbidden: forbiddenHere(home.directory), clean, servers })
}

function misfitOf(definition: ToolDefinition, input: Json): string | null {
  const fault = inputFault(definition, input)
  return fault && `${definition.name} does not take this input: ${fault}`
}

export function policyInForce(
  policy: Policy,
  { offered, toolsets }: { readonly offered: readonly ToolDefinition[]; readonly toolsets: Toolset },
  workspace: string,
): PolicyInForce {
  return {
    hash: policy.hash,
    async assess({ tool, input }) {
      const definition = offered.find(({ name }) => name === tool)
      if (!definition) {
        const reasons = [`the tool ${tool} is not offered`]
        return { decision: 'deny', needs: 'human', risk: 'critical', deciding: [], reasons }
      }
      const facts = factsOf(definition, input, workspace)
      const { needs, risk, rules, policies, errors } = policy.decide(facts, 'executor')
      const assessment = { risk, deciding: policies }
      const reasons = [...rules.map((rule) => `risk: ${rule}`), ...errors]
      if (needs === 'deny') return { ...assessment, decision: 'deny', needs: 'none', reasons }
      // A person is not asked about a call that could not run even with every approval.
      const refusal = (await toolsets.refusal?.(tool, input)) ?? misfitOf(definition, input)
      if (refusal === null) return { ...assessment, decision: 'allow', needs, reasons }
      return { risk, deciding: [], decision: 'deny', needs: 'none', reasons: [refusal] }
    },
  }
}

export async function openSessionEquipment(
  home: Home,
  task: TaskFile,
  settings: Settings,
): Promise<SessionEquipment> {
  const operator = await findOperator(home.directory, task, task.trusted)
  const files = { operator: [await policyFile(operator.policy)], task: [await policyFile(task.policy)] }
  await loadCedarForFew()
  const policy = await openPolicy(files)
  const toolsets = await toolsetFor(home, task, operator, settings)
  try {
    const offered = await toolsets.tools(AbortSignal.timeout(60_000))
    const registrar = await home.registrar()
    const { registrars } = registrar.log.state
    return {
      operator,
      offered,
      unheld: await unheldLimits(operator, offered),
      toolsets,
      policy: policyInForce(policy, { offered, toolsets }, task.workspace),
      policyText: canonicalize(files),
      verify: verifierOf(home, registrars),
      close: () => toolsets.close(),
    }
  } catch (error) {
    await toolsets.close()
    throw error
  }
}

/** The seats of the task, as they are set up on this machine. */
export async function mindsFor(
  names: readonly string[],
  settings: Settings,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, AskableSeat>> {
  if (names.length === 0) return new Map()
  const { seatNamed, seatTable } = await import('../seating/seat-table.ts')
  const table = await seatTable({ settings, env: process.env, signal })
  return new Map(
    names.map((name) => {
      const tableSeat = seatNamed(table, name)
      if (tableSeat) return [name, tableSeat.seat] as const
      const there = table.from === 'embedded' ? [] : table.seats.map(({ id }) => id)
      throw new WitanError(
        'CONFIG_INVALID',
        `the task wants ${name} to think, and no such seat is ready`,
        there.length > 0
          ? `There are: ${there.join(', ')}. See \`witan doctor\`.`
          : 'See `witan doctor`; or write the plan yourself: roles: {planner: written, executor: written}.',
      )
    }),
  )
}
