// What must come out nowhere: planted secrets in every encoding, and a search of any bytes for each of them, as it is,
// in base64 and with two bytes a letter.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeLike } from '../../src/ledger/decode.ts'
import { ASSIGNED, MANIFESTS, PLANTED, privateKey } from '../fakes/planted.ts'

const NONE = new Uint8Array()

/** What must come out nowhere: of each plant the part that is secret. */
const assignedValue = (line: string): string =>
  (
    /:\/\/[^:]*:([^@]+)@/.exec(line)?.[1] ??
    /[A-Za-z0-9&/+-]{10,}(?=[^A-Za-z0-9]*$)/.exec(line)?.[0] ??
    line
  ).slice(-12)
export const NEEDLES: readonly string[] = [
  ...PLANTED.map(([, value]) => value.slice(-20)),
  ...ASSIGNED.slice(0, 8).map(([, line]) => assignedValue(line)),
  'Gr4nite-Otter',
  ...MANIFESTS.map(([, , secret]) => secret),
  ...privateKey('RSA ').split('\n').slice(1, 4),
]

/** As it may be in bytes: as it is, in base64 at each of three places, with two bytes a letter. */
function formsOf(needle: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from('x'.repeat(shift) + needle).toString('base64')
    return text.slice(shift === 0 ? 0 : 4, -4)
  })
  return [needle, ...base64, needle.split('').join('\0')].filter((form) => form.length >= 8)
}

export const leaksIn = (text: string): readonly string[] =>
  NEEDLES.filter((needle) => formsOf(needle).some((form) => text.includes(form)))

const LINES = [...PLANTED.map(([, value]) => `value ${value} here`), ...ASSIGNED.map(([, line]) => line)]
export const TEXT = `${LINES.join('\n')}\n${privateKey('RSA ')}\nthe end\n`

export function plantedForms(): ReadonlyMap<string, Uint8Array> {
  const base64 = Buffer.from(TEXT).toString('base64')
  return new Map<string, Uint8Array>([
    ['plain.md', Buffer.from(TEXT)],
    ['wide.txt', encodeLike(TEXT, 'utf-16le', NONE)],
    ['wide-marked.txt', encodeLike(`\ufeff${TEXT}`, 'utf-16le', NONE)],
    ['wide-other.txt', encodeLike(`\ufeff${TEXT}`, 'utf-16be', NONE)],
    ['latin.txt', Buffer.from(`gr\u00fcn\n${TEXT}`, 'latin1')],
    ['wrapped.txt', Buffer.from(`${base64}\n`)],
    ['wrapped-lines.txt', Buffer.from(base64.replace(/.{76}/g, '$&\n'))],
    ['wrapped-wide.txt', Buffer.from(Buffer.from(TEXT, 'utf16le').toString('base64'))],
    ...MANIFESTS.map(([, file], i) => [`deploy-${i}.yaml`, Buffer.from(file)] as const),
  ])
}

export async function plantIn(folder: string): Promise<void> {
  for (const [name, bytes] of plantedForms()) await writeFile(join(folder, name), bytes)
  await writeFile(join(folder, `${PLANTED[9]?.[1]}.txt`), 'by its name')
}
