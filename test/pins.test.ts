// What others build on, as literals. A change here is a change of an interface: it belongs into the changelog, and
// for event names and signed bytes into a new version beside the old one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import * as clerk from '../src/clerk/index.ts'
import { EXIT, EXIT_OF } from '../src/doors/cli/command.ts'
import * as embeddings from '../src/embeddings/index.ts'
import { BUNDLE_FORMAT } from '../src/ledger/bundle/lines.ts'
import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../src/ledger/calls.ts'
import { FORKED } from '../src/ledger/fork.ts'
import * as ledger from '../src/ledger/index.ts'
import {
  CHECKPOINT_RECORDED,
  KEY_EVENTS,
  KEY_REGISTERED,
  KEY_REVOKED,
  KEY_ROTATED,
  OPENED,
  REDACTION_RECORDED,
  REGISTRY_PROTOCOL,
} from '../src/ledger/registry/registry.ts'
import { EVENT_PAYLOAD_TYPE } from '../src/ledger/signing.ts'
import { CHECKS, SUGGESTIONS } from '../src/ledger/verify/report.ts'
import * as models from '../src/models/index.ts'
import * as stores from '../src/stores/index.ts'
import { newHome, type Where, witan } from './doors/command.ts'
import { runErrand } from './doors/errand-home.ts'
import { shape } from './support/json-shape.ts'
import { projectRoot } from './support/sources.ts'

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

describe('exit codes', () => {
  it('APP-9 mean what is documented', () => {
    expect(EXIT).toEqual({
      done: 0,
      internal: 1,
      usage: 2,
      verificationFailed: 3,
      quorumNotMet: 4,
      refused: 5,
      aborted: 6,
      notFound: 7,
      waiting: 8,
      gateClosed: 9,
      interrupted: 130,
    })
  })

  it('APP-9 follow from the error code', () => {
    const codes = (exit: number): string[] =>
      Object.entries(EXIT_OF)
        .filter(([, code]) => code === exit)
        .map(([name]) => name)
        .sort()
    expect(codes(1)).toEqual(['CANONICAL_INVALID', 'HEADER_INVALID', 'HEAD_MOVED'])
    expect(codes(2)).toEqual([
      ...[
        'APPROVAL_UNPROVEN',
        'CONFIG_INVALID',
        'FILE_EXISTS',
        'FILE_UNTRUSTED',
        'HOME_EXISTS',
        'KEY_EXISTS',
      ],
      ...[
        'KEY_FILE_EXPOSED',
        'KEY_LOCKED',
        'NOTHING_TO_REVIEW',
        'NOT_A_REPOSITORY',
        'RANGE_INVALID',
        'TRACE_AMBIGUOUS',
        'USAGE',
      ],
    ])
    expect(codes(4)).toEqual(['QUORUM_NOT_MET'])
    expect(codes(5)).toEqual(
      'ALREADY_REDACTED ENCODER_MISMATCH EVENT_REFUSED KEY_RETIRED NOT_REDACTABLE TRACE_FINISHED VAULT_REFUSED'.split(
        ' ',
      ),
    )
    expect(codes(6)).toEqual(['TRACE_GIVEN_UP'])
    expect(codes(7)).toEqual([
      ...['ARTIFACT_CORRUPT', 'ARTIFACT_NOT_FOUND', 'ARTIFACT_UNREACHABLE'],
      ...['BUNDLE_FOREIGN', 'BUNDLE_INVALID', 'BUNDLE_TOO_LARGE', 'BUNDLE_TRUNCATED'],
      ...[
        'DISK_FULL',
        'EDITION_UNKNOWN',
        'EVENT_NOT_FOUND',
        'FILE_NOT_FOUND',
        'FILE_UNREADABLE',
        'FILE_UNWRITABLE',
        'GIT_MISSING',
        'HAND_UNAVAILABLE',
        'HOME_MISSING',
      ],
      ...['HOME_READONLY', 'KEY_FILE_INVALID', 'KEY_NOT_FOUND', 'NOTE_INVALID', 'PROTOCOL_UNKNOWN'],
      ...['SENSE_FAILED', 'TRACE_NOT_FOUND', 'VAULT_BUSY', 'VAULT_CORRUPT', 'VAULT_FOREIGN'],
      'VAULT_UNREACHABLE',
    ])
    expect(codes(130)).toEqual(['INTERRUPTED'])
  })
})

describe('the verifier', () => {
  it('APP-9 VER-2 checks in this order', () => {
    expect(CHECKS).toEqual([
      ...['schema', 'event_hash', 'chain', 'signature', 'key_status', 'key_role', 'artifact_existence'],
      ...[
        'artifact_hash',
        'payload_hash',
        'protocol_replay',
        'claim_evidence',
        'finalisation',
        'checkpoints',
        'trust',
      ],
    ])
  })

  it('APP-9 VER-5 has these codes and no others', () => {
    expect(Object.keys(SUGGESTIONS).sort()).toEqual([
      ...[
        'APPROVAL_MISSING',
        'ARTIFACT_HASH_MISMATCH',
        'ARTIFACT_MISSING',
        'ARTIFACT_OMITTED',
        'CHAIN_BREAK',
      ],
      ...[
        'CHECKPOINT_INCONSISTENT',
        'CLAIM_UNPROVEN',
        'CONTENT_WITHHELD',
        'FORK_PARENT_MISSING',
        'HASH_MISMATCH',
      ],
      ...['KEY_REVOKED', 'KEY_ROLE_MISMATCH', 'KEY_UNKNOWN', 'LOG_TRUNCATED', 'ORDER_VIOLATION'],
      ...[
        'PAYLOAD_HASH_MISMATCH',
        'PAYLOAD_MISSING',
        'RECORD_GAP',
        'REDACTION_LIMITED',
        'ROLE_POLICY_VIOLATION',
        'SCHEMA_INVALID',
      ],
      ...['SIG_INVALID', 'SIG_MISSING', 'TRUST_REVOKED', 'TRUST_UNPINNED'],
    ])
  })
})

describe('what is signed and stored', () => {
  it('APP-9 has these names', () => {
    expect(EVENT_PAYLOAD_TYPE).toBe('application/vnd.witan.event.v1+json')
    expect([REGISTRY_PROTOCOL, BUNDLE_FORMAT]).toEqual(['registry/1', 'bundle/1'])
    expect([OPENED, KEY_REGISTERED, KEY_ROTATED, KEY_REVOKED]).toEqual(KEY_EVENTS)
    expect(KEY_EVENTS).toEqual(['registry_opened', 'key_registered', 'key_rotated', 'key_revoked'])
    expect([REDACTION_RECORDED, CHECKPOINT_RECORDED]).toEqual(['redaction_recorded', 'checkpoint_recorded'])
    expect([CALL_STARTED, CALL_LOST, CALL_INDETERMINATE]).toEqual([
      'call_started',
      'call_lost',
      'call_indeterminate',
    ])
    expect(FORKED).toBe('trace_forked')
  })
})

describe('what --json prints', () => {
  let where: Where & { readonly cwd: string }
  const printed = async (...args: string[]): Promise<unknown> =>
    shape((await witan(where, ...args, '--json')).json)

  beforeAll(async () => {
    where = await newHome()
    await runErrand(where.home)
  })

  it('APP-9 has these names for init, list and show', async () => {
    expect(await printed('init')).toBe('created home key project registry vault')
    expect(await printed('list')).toEqual([
      'home traces',
      {
        traces: [
          ['about cost_usd last protocol size started status trace verdict', { last: 'at hash type' }],
        ],
      },
    ])
    const event = 'hash header payload problem redaction seq signature'
    const header = [
      'actor at payload_hash prev protocol registry seq trace type v',
      { actor: 'agent key role', registry: 'hash size' },
    ]
    const payload = ['question seats', { seats: [null] }]
    expect(await printed('show', 'last')).toEqual([
      'events head protocol size trace',
      { events: [[event, { header, payload }]] },
    ])
    expect(await printed('show', 'last', '0')).toEqual([`${event} trace`, { header, payload }])
  })

  it('APP-9 VER-4 has these names for verify', async () => {
    expect(await printed('verify', 'last')).toEqual([
      'checks digest failures form head protocol proven registry root size status trace truncation_excluded_to trusted_by witan',
      {
        checks: ['check examined status'],
        failures: ['artifact check code event message severity suggested_action'],
        registry: ['keys size trace', { keys: [null] }],
      },
    ])
  })

  it('APP-9 has these names for export, prove and redact', async () => {
    expect(await printed('export', 'last', '-o', 'a.witan')).toEqual([
      'bytes checkpoint checkpoint_file content file omitted size trace',
      { omitted: [] },
    ])
    expect(await printed('prove', 'last', '0', '-o', 'b.witan')).toBe('bytes file seq since size trace')
    expect(await printed('redact', 'last', '0', '--reason', 'x')).toEqual([
      'already also_erased also_erased_events artifact artifacts_left by quoted_in reason registry_seq repeated_in seq trace',
      { also_erased: [], also_erased_events: [], artifacts_left: [], quoted_in: [], repeated_in: [] },
    ])
  })

  it('APP-9 has these names for keys, trust and completion', async () => {
    const roles = { roles: [null] }
    expect(await printed('keys', 'add', 'ana', '--role', 'critic')).toEqual([
      'agent id private_key_here public_key roles',
      roles,
    ])
    expect(await printed('keys', 'rotate', 'ana')).toEqual(['agent id public_key replaces roles', roles])
    expect(await printed('keys', 'revoke', 'ana', '--reason', 'x')).toEqual([
      'agent compromised_since id reason roles voided',
      { ...roles, voided: [] },
    ])
    expect(await printed('keys', 'list')).toEqual([
      'keys registry',
      {
        keys: [
          ['agent id locked made private_key_here public_key registered revoked roles rotated status', roles],
        ],
      },
    ])
    expect(await printed('trust', 'a.witan')).toBe('file sha256')
    expect(await printed('trust', '--list')).toEqual(['files home', { files: ['file sha256 state'] }])
    expect(await printed('trust', '--remove', 'a.witan')).toBe('file removed')
    expect(await printed('completion', 'bash')).toBe('script shell')
  })

  it('APP-9 VOX-10 has these names for doctor', async () => {
    const own = { ...where, env: { PATH: '/nowhere', OLLAMA_HOST: '127.0.0.1:9' } }
    const { json } = await witan(own, 'doctor', '--json')
    expect(shape(json)).toEqual([
      'asked files panels providers sandbox table warnings',
      {
        files: [null],
        panels: [],
        providers: ['configured detail next provider ready transport'],
        sandbox: 'by confined detail',
        table: [
          'from note one_vendor seats',
          { seats: [['model provider ready roles seat ways', { roles: [null], ways: ['model transport'] }]] },
        ],
        warnings: [],
      },
    ])
  })

  it('APP-9 has these names for an error', async () => {
    expect(await printed('show', 'zzz')).toEqual(['error', { error: 'code message next' }])
  })
})

describe('the entry points of the package', () => {
  const names = (entry: object): string => Object.keys(entry).sort().join(' ')

  it('APP-9 export these names', () => {
    expect(Object.keys(manifest.exports)).toEqual([
      '.',
      './package.json',
      './protocol',
      './ledger',
      './clerk',
      './council',
      './agents',
      './exchange',
      './models',
      './tools',
      './embeddings',
      './stores',
      './context',
      './minds',
      './hands',
      './senses',
      './vaults',
      './packs',
    ])
    expect(names(ledger)).toBe(
      [
        'CALL_INDETERMINATE CALL_LOST CALL_STARTED CHECKS CLERK FORKED REGISTRAR REGISTRY_PROTOCOL',
        'SUGGESTIONS WitanError admissible admissibleKey artifactsOf canonicalize consistencyProof',
        'eventMessage forkPointOf inclusionProof inquire isWitanError keyId readHeader readPayload',
        'readTreeHead registryProtocol reportDigest sealChain treeRoot verify verifyConsistency',
        'verifyInclusion withCalls',
      ].join(' '),
    )
    expect(names(stores)).toBe(
      [
        'MemoryStore answerArtifacts examine openKeyring openPostgresStore openSqliteStore readBundle',
        'sha256 verifySignature writeBundle',
      ].join(' '),
    )
    expect(names(clerk)).toBe(
      [
        'Clerk RefusedError Registrar TraceLog actorFor artifactsIn extract followTrace forkTrace isInForce isRedacted',
        'proveEvent proveExtension readAsking recordAsking replayTrace wholeBundle',
      ].join(' '),
    )
    expect(names(models)).toBe(
      [
        'NOTHING_SPENT apiModel claudeModel codexModel createSeat geminiModel inOrder kindOfProvider listModels mcpModel',
        'modelsAsOf ownModel priceOf redact replayModel saySpent spend stopBefore timeoutFor vendors',
      ].join(' '),
    )
    expect(names(embeddings)).toBe(
      'EmbeddingError bytesOf cached closedError commonEncoder dimensionOf isSilent isZeroVector openBuiltInEmbedder openProviderEmbedder packVector silence similarity toVector unpackVector vectorFrom zeroVector',
    )
  })
})
