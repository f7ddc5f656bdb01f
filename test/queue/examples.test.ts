import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { COMMANDS } from '../../src/doors/cli/commands.ts'
import { checkParsed, parseOptions } from '../../src/doors/cli/parse.ts'
import { projectRoot } from '../support/sources.ts'

const read = (name: string): string => readFileSync(join(projectRoot, 'examples/workers', name), 'utf8')

/** The words after `witan worker` are options that the command has. */
function expectWorkerOptions(words: readonly string[]): void {
  const command = COMMANDS.find(({ name }) => name === 'worker')
  if (!command) throw new Error('there is no witan worker')
  checkParsed(command, parseOptions(command, [...words]))
}

/** What the types of Kubernetes have against it: unknown fields, wrong values, missing ones. */
function faultsOf(kind: string, manifest: unknown): readonly string[] {
  const name = join(projectRoot, 'test/queue/manifest.ts')
  const { apiVersion } = manifest as { readonly apiVersion: string }
  const text = `import type { ${kind} } from 'kubernetes-types/${apiVersion}'
export const manifest: ${kind} = ${JSON.stringify(manifest)}`
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (file) => file === name || fileExists(file)
  host.getSourceFile = (file, version, ...more) =>
    file === name ? ts.createSourceFile(file, text, version) : getSourceFile(file, version, ...more)
  const program = ts.createProgram([name], options, host)
  const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(name))
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('the examples for service managers', () => {
  it('APP-14 have a unit of systemd whose entries are well-formed and whose command exists', () => {
    const lines = read('witan-worker.service')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of lines) expect(line).toMatch(/^(\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=\S.*)$/)
    const start = lines.find((line) => line.startsWith('ExecStart='))?.split(' ') ?? []
    expect(start.slice(0, 3)).toEqual(['ExecStart=/usr/bin/env', 'witan', 'worker'])
    expectWorkerOptions(start.slice(3))
    const verified = spawnSync('systemd-analyze', [
      'verify',
      join(projectRoot, 'examples/workers/witan-worker.service'),
    ])
    if (verified.error === undefined)
      expect(String(verified.stderr)).not.toMatch(/Unknown|Failed to parse|Invalid/i)
  })

  it('APP-14 have a manifest for Kubernetes that parses, with probes at addresses that a worker answers', () => {
    const documents = parseAllDocuments(read('kubernetes.yaml'), { strict: true, uniqueKeys: true })
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    const [manifest] = documents.map((document) => document.toJS())
    expect(manifest).toMatchObject({ apiVersion: 'apps/v1', kind: 'StatefulSet' })
    expect(faultsOf('StatefulSet', manifest)).toEqual([])
    const { selector, template } = manifest.spec
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    const [container] = template.spec.containers
    const [verb, ...options] = container.args
    expect(verb).toBe('worker')
    expectWorkerOptions(options)
    const ports = container.ports.map(({ name }: { name: string }) => name)
    for (const probe of ['livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet
      expect(['/healthz', '/readyz']).toContain(path)
      expect(ports).toContain(port)
    }
    // The types see a slip of the pen.
    const slips = [
      { ...manifest, spec: { ...manifest.spec, replicas: 'three' } },
      { ...manifest, spec: { ...manifest.spec, serviceNames: 'witan-worker' } },
    ]
    for (const slip of slips) expect(faultsOf('StatefulSet', slip)).toHaveLength(1)
  })
})
