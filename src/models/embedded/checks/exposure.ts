// Protections that are removed: certificates unchecked, files open to everyone, secrets from a predictable
// source, plain http, weak digests, downloads that are run unseen, workflows that run strangers' code.

import { isDocument, isFixture, isTest } from '../paths.ts'
import type { LineRule } from './line-rules.ts'

const aside = (path: string) => isTest(path) || isFixture(path) || isDocument(path)
const notWorkflow = (path: string) => !/(?:^|\/)\.github\/(?:workflows|actions)\//.test(path)
const TOKENISH = '(?:token|secret|passw(?:or)?d|nonce|salt|session|otp|csrf|api_?key|auth|verification_?code)'

export const EXPOSURE_RULES: readonly LineRule[] = [
  {
    id: 'WITAN-RISK-006',
    severity: 'high',
    category: 'security',
    description: 'The check of a server’s certificate is switched off.',
    rationale: 'Anyone on the way can pose as the server and read or change what is sent.',
    fix: 'Trust the one certificate that is missing instead of all.',
    except: aside,
    tests: [
      {
        languages: ['script'],
        part: 'code',
        pattern: /\brejectUnauthorized\s*:\s*false|\bstrictSSL\s*:\s*false/,
      },
      { languages: null, part: 'said', pattern: /NODE_TLS_REJECT_UNAUTHORIZED["'\]]{0,2}\s*[:=]\s*["']?0/ },
      {
        languages: ['python'],
        part: 'code',
        pattern:
          /\bverify\s*=\s*False\b|_create_unverified_context\(|\bcheck_hostname\s*=\s*False|\b(?:verify_mode|cert_reqs)\s*=\s*(?:ssl\.)?CERT_NONE\b/,
      },
      { languages: ['go'], part: 'code', pattern: /\bInsecureSkipVerify\s*:\s*true/ },
      { languages: ['rust'], part: 'code', pattern: /danger_accept_invalid_(?:certs|hostnames)\(\s*true/ },
      {
        languages: ['ruby', 'php', 'c'],
        part: 'code',
        pattern: /VERIFY_NONE\b|CURLOPT_SSL_VERIFY(?:PEER|HOST)\s*,\s*(?:false|0)/i,
      },
      {
        languages: ['shell', 'docker', 'yaml'],
        part: 'said',
        pattern:
          /\bcurl\s(?:[^|;&]{0,200}\s)?(?:-[a-zA-Z]{0,8}k[a-zA-Z]{0,8}|--insecure)(?:\s|$)|\bwget\s[^|;&]{0,200}--no-check-certificate|\bstrict-ssl\s+false|http\.sslVerify\s+false/,
      },
    ],
  },
  {
    id: 'WITAN-RISK-007',
    severity: 'medium',
    category: 'security',
    description: 'A file is opened to every user of the machine.',
    rationale: 'Any account or service there can change what is later read or run.',
    fix: 'Give the rights to the one user or group that needs them.',
    except: aside,
    tests: [
      {
        languages: ['shell', 'docker', 'yaml', 'text'],
        part: 'said',
        pattern: /\bchmod\s(?:-[a-zA-Z]{1,5}\s)?(?:0?777|a\+rwx|ugo\+rwx)\b/,
      },
      {
        languages: ['script', 'python', 'ruby', 'go', 'php', 'rust', 'c'],
        part: 'code',
        pattern:
          /\b(?:chmod|chmodSync|mkdir|mkdirSync|MkdirAll|Chmod|set_mode|from_mode)\b[^;]{0,200}\b0o?777\b/,
      },
    ],
  },
  {
    id: 'WITAN-RISK-008',
    severity: 'high',
    category: 'security',
    description: 'Something secret is drawn from a predictable source of chance.',
    rationale: 'A few outputs are enough to compute the next ones.',
    fix: 'Draw it from the cryptographic source of the platform.',
    except: aside,
    tests: [
      {
        languages: ['script'],
        part: 'code',
        pattern: new RegExp(
          `${TOKENISH}\\w{0,20}(?:\\s*\\([^)]{0,60}\\)\\s*(?:=>|\\{)|\\s*[+:]?=|\\s*:)[^;,]{0,120}\\bMath\\.random\\(`,
          'i',
        ),
      },
      {
        languages: ['python'],
        part: 'code',
        pattern: new RegExp(
          `${TOKENISH}[^;]{0,80}(?<![\\w.])random\\.(?:random|randint|choices?|sample|getrandbits)\\(`,
          'i',
        ),
        unless: /SystemRandom/,
      },
      {
        languages: ['php', 'ruby', 'go', 'java', 'c'],
        part: 'code',
        pattern: new RegExp(
          `${TOKENISH}\\w{0,20}\\s*:?=[^;]{0,80}(?<![\\w.])(?:mt_rand|rand|uniqid|rand\\.Intn?|new Random)\\(`,
          'i',
        ),
      },
    ],
  },
  {
    id: 'WITAN-RISK-009',
    severity: 'low',
    category: 'security',
    description: 'An address on another machine is used without encryption.',
    rationale: 'Anyone on the way can read and change what is sent.',
    fix: 'Use https, or say in a comment why this host has none.',
    except: aside,
    tests: [
      {
        languages: [
          'script',
          'python',
          'ruby',
          'go',
          'rust',
          'java',
          'csharp',
          'php',
          'shell',
          'swift',
          'docker',
          'settings',
          'yaml',
        ],
        part: 'said',
        pattern:
          /(?<![A-Za-z])http:\/\/(?!(?:localhost|127\.|0\.0\.0\.0|\[|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|(?:[\w-]{1,60}\.){0,6}(?:local|localhost|test|invalid|example|internal|lan|svc)(?![\w.-])|(?:[\w-]{1,60}\.){0,6}example\.(?:com|org|net)|host\.docker|www\.w3\.org|schemas?\.|xmlns|json-schema\.org|purl\.org|xml\.|ns\.|java\.sun\.com|xmlpull\.org|www\.apache\.org\/licenses|(?:www\.)?opensource\.org))[\w-]{1,60}\.[\w.-]{2,100}/i,
        unless: /xmlns|xsi:|DOCTYPE|namespace|\bstartsWith\(|new URL\([^,]{1,80},|\breplace\(|\/\^?http/i,
      },
    ],
  },
  {
    id: 'WITAN-RISK-010',
    severity: 'low',
    category: 'security',
    description: 'A digest is made with MD5 or SHA-1.',
    rationale: 'Two texts with the same digest can be made at will; where that matters, it proves nothing.',
    fix: 'Use SHA-256, and for passwords a slow function made for them.',
    except: aside,
    tests: [
      { languages: ['script'], part: 'said', pattern: /\bcreateH(?:ash|mac)\(\s*["'`](?:md5|sha1)["'`]/i },
      {
        languages: ['python'],
        part: 'code',
        pattern: /\bhashlib\.(?:md5|sha1)\(/,
        unless: /usedforsecurity\s*=\s*False/,
      },
      { languages: ['go'], part: 'code', pattern: /\b(?:md5|sha1)\.(?:New|Sum)\(/ },
      {
        languages: ['java', 'csharp'],
        part: 'said',
        pattern: /getInstance\(\s*"(?:MD5|SHA-?1)"|\b(?:MD5|SHA1)\.Create\(/i,
      },
      {
        languages: ['php', 'ruby'],
        part: 'code',
        pattern: /(?<![\w>:.])(?:md5|sha1)\(\s*\$|\bDigest::(?:MD5|SHA1)\b/,
      },
    ],
  },
  {
    id: 'WITAN-RISK-011',
    severity: 'medium',
    category: 'security',
    description: 'A download is run without being looked at.',
    rationale: 'What the server sends on that day runs with the rights of the user.',
    fix: 'Download to a file, compare its digest with a pinned one, then run it.',
    except: aside,
    tests: [
      {
        languages: ['shell', 'docker', 'yaml', 'script', 'python'],
        part: 'said',
        pattern:
          /\b(?:curl|wget)\s[^|;]{0,300}\|\s*(?:sudo\s+(?:-\w{1,4}\s+)?)?(?:ba|z|da)?sh\b|\b(?:ba|z)?sh\s+(?:-c\s+)?["']?[<$]\(\s*(?:curl|wget)\s/,
      },
    ],
  },
  {
    id: 'WITAN-RISK-012',
    severity: 'high',
    category: 'security',
    description: 'A workflow puts text that strangers write into a script.',
    rationale: 'A title or branch name with shell syntax runs with the workflow’s rights and secrets.',
    fix: 'Hand the text over in an environment variable and quote the variable.',
    except: notWorkflow,
    tests: [
      {
        languages: ['yaml'],
        part: 'said',
        pattern:
          /\$\{\{\s*github\.(?:event\.(?:issue|pull_request|comment|review|discussion|head_commit|commits|pages)\b[^}]{0,80}\b(?:title|body|name|message|email|ref|label|default_branch)|head_ref)\s*\}\}/,
        unless: /^\s*(?:-\s)?[A-Z][A-Z0-9_]*:\s|^\s*(?:if|group|ref|name|concurrency|with|key):\s/,
      },
    ],
  },
]
