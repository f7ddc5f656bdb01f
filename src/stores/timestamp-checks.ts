// Checks an RFC 3161 timestamp offline, with Node: what was stamped, the authority's signature, and that its certificate is
// one that the reader pinned or was issued by one. What is pinned is all that is trusted; no root that Node knows counts.

import { createHash, verify, X509Certificate } from 'node:crypto'
import { equalBytes, utf8 } from '../ledger/bytes.ts'
import { OID, readTimestampToken, type TimestampToken } from '../ledger/tree/timestamp-token.ts'
import type { TimestampAnswer, TimestampQuestion } from '../ledger/verify/inquire.ts'

const DIGESTS: Readonly<Record<string, string>> = {
  [OID.sha256]: 'sha256',
  [OID.sha384]: 'sha384',
  [OID.sha512]: 'sha512',
}

/** Signature algorithms that name their own digest; plain RSA takes that of the signer. */
const SIGNATURES: Readonly<Record<string, string>> = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
}
const PLAIN_RSA = '2a864886f70d010101'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
/** Of certificates between the authority's and the pinned one. */
const MOST_ISSUERS = 8

const invalid = (why: string): TimestampAnswer => ({ state: 'bad', why })

function certificatesOf(token: TimestampToken): readonly X509Certificate[] {
  return token.certificates.flatMap((der) => {
    try {
      return [new X509Certificate(der)]
    } catch {
      // One that cannot be read completes no chain.
      return []
    }
  })
}

const serialOf = ({ serialNumber }: X509Certificate): string =>
  serialNumber.toLowerCase().replace(/^(00)+(?=.)/, '')

const isValidAt = (certificate: X509Certificate, time: string): boolean =>
  Date.parse(certificate.validFrom) <= Date.parse(time) && Date.parse(time) <= Date.parse(certificate.validTo)

/** The certificates from this one to one that is pinned, each issued by the next; null when none is. */
function chainTo(
  pinned: readonly X509Certificate[],
  others: readonly X509Certificate[],
  leaf: X509Certificate,
  time: string,
): readonly X509Certificate[] | null {
  const chain = [leaf]
  for (let current = leaf; chain.length <= MOST_ISSUERS; ) {
    if (pinned.some(({ raw }) => raw.equals(current.raw))) return chain
    const issuers = [...pinned, ...others].filter(
      (one) => one.ca && current.checkIssued(one) && current.verify(one.publicKey),
    )
    // A certificate that was renewed under the same key may be here twice.
    const issuer = issuers.find((one) => isValidAt(one, time)) ?? issuers[0]
    if (!issuer || issuer.raw.equals(current.raw)) return null
    chain.push(issuer)
    current = issuer
  }
  return null
}

/** Whose word it is: the common name of the certificate, else all that it says of its subject. */
const nameOf = ({ subject }: X509Certificate): string =>
  /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')

/** What the timestamp says, when a pinned authority made it; `foreign` when none did. */
export function checkTimestamp(
  { text, token: der }: TimestampQuestion,
  authorities: readonly X509Certificate[],
): TimestampAnswer {
  const token = readTimestampToken(der)
  if (!token) return { state: 'foreign' }
  const carried = certificatesOf(token)
  const serial = token.serial.replace(/^(00)+(?=.)/, '')
  const signer = [...carried, ...authorities].find((one) => serialOf(one) === serial)
  const chain = signer ? chainTo(authorities, carried, signer, token.time) : null
  if (!signer || !chain) return { state: 'foreign' }
  if (!chain.every((one) => isValidAt(one, token.time))) return invalid('its certificate was not valid then')
  const usage: readonly string[] = signer.keyUsage ?? []
  if (usage.join() !== TIME_STAMPING) return invalid('its certificate is not for timestamps')
  const imprint = createHash('sha256').update(utf8(text)).digest()
  if (!equalBytes(imprint, token.imprint)) return invalid('it is of something else')
  const digest = DIGESTS[token.digestAlgorithm]
  const signed = token.signatureAlgorithm === PLAIN_RSA ? digest : SIGNATURES[token.signatureAlgorithm]
  if (digest === undefined || signed === undefined)
    return invalid('it is signed by an algorithm that is not known here')
  if (!equalBytes(createHash(digest).update(token.content).digest(), token.digest))
    return invalid('what it says is not what was signed')
  const holds = verify(signed, token.signedAttributes, signer.publicKey, token.signature)
  return holds
    ? { state: 'good', time: token.time, by: nameOf(signer) }
    : invalid('its signature does not fit')
}

/** The certificates in a PEM text. */
export const readCertificates = (pem: string): readonly X509Certificate[] =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g)].map(
    ([one]) => new X509Certificate(one),
  )
