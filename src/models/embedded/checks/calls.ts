// Calls that turn text into code, commands, pages, queries or objects. A constant text is harmless; flagged
// are concatenated texts, and calls without a safe form.

import { isDocument, isFixture, isTest } from '../paths.ts'
import type { LineRule } from './line-rules.ts'

// Calls that lose errors, memory or data: swallowed exceptions, unbounded copies, irreversible deletions,
// debugging that is enabled in production.

const aside = (path: string) => isTest(path) || isFixture(path) || isDocument(path)

export const MISHAP_RULES: readonly LineRule[] = [
  {
    id: 'WITAN-RISK-013',
    severity: 'low',
    category: 'reliability',
    description: 'An error is caught and dropped.',
    rationale: 'The failure happens all the same, later and somewhere else, without its cause.',
    fix: 'Handle the one error that is expected and let the others through, or record it.',
    except: aside,
    tests: [
      {
        languages: ['script', 'java', 'csharp', 'php', 'swift'],
        part: 'line',
        pattern: /\bcatch\s*(?:\([^)]{0,120}\)\s*)?\{\s*\}/,
      },
      {
        languages: ['script'],
        part: 'said',
        pattern: /\)\.catch\(\s*(?:\(\s*\w{0,20}\s*\)|\w{1,20})\s*=>\s*\{\s*\}\s*\)/,
        // Cleaning up after a failure must not hide that failure behind its own.
        unless:
          /\b(?:end|close|unlink|rm|rmdir|destroy|kill|cancel|dispose|release|stop|terminate|abort|disconnect|cleanup|rollback|DISCARD)\b/i,
      },
      {
        languages: ['python'],
        part: 'line',
        pattern: /^\s*except(?:\s+(?:Base)?Exception(?:\s+as\s+\w{1,30})?)?\s*:\s*pass\b/,
      },
      { languages: ['ruby'], part: 'code', pattern: /\brescue\s+nil\b/ },
    ],
  },
  {
    id: 'WITAN-RISK-014',
    severity: 'high',
    category: 'security',
    description: 'Memory is written without a bound.',
    rationale: 'A longer input overwrites what lies behind the buffer.',
    fix: 'Use the bounded form and check what it reports.',
    except: aside,
    tests: [
      {
        languages: ['c'],
        part: 'code',
        pattern: /(?<![\w.>:])(?:gets|strcpy|strcat|sprintf|vsprintf|stpcpy)\s?\(/,
      },
    ],
  },
  {
    id: 'WITAN-RISK-015',
    severity: 'medium',
    category: 'reliability',
    description: 'Stored data is deleted for good.',
    rationale: 'Taking the change back does not bring the data back.',
    fix: 'Have a copy first, say how to restore it, and delete in a later step than the last use.',
    except: aside,
    tests: [
      {
        languages: ['sql'],
        part: 'code',
        pattern: /\bDROP\s+(?:TABLE|COLUMN|DATABASE|SCHEMA)\b|\bTRUNCATE\s+(?:TABLE\s+)?\w/i,
        unless: /\bTEMP(?:ORARY)?\b/i,
      },
      { languages: ['sql'], part: 'code', pattern: /\bDELETE\s+FROM\s+[\w."]{1,80}\s*;/i },
      {
        languages: ['shell', 'docker', 'yaml'],
        part: 'said',
        pattern:
          /\brm\s+(?:-[a-zA-Z]{1,6}\s+){1,3}["']?(?:\$\{?\w{1,40}\}?["']?\/(?:\*|["']?\s*$|\s)|\/(?:\s|$|\*))/,
        unless: /\$\{\w{1,40}:\?/,
      },
    ],
  },
  {
    id: 'WITAN-RISK-016',
    severity: 'medium',
    category: 'security',
    description: 'Debugging is switched on.',
    rationale: 'Error pages of a debugging server show code, settings and often a console.',
    fix: 'Read it from the environment and leave it off by default.',
    except: aside,
    tests: [
      {
        languages: ['python'],
        part: 'code',
        pattern: /^\s*DEBUG\s*=\s*True\b|\.run\([^)]{0,200}\bdebug\s*=\s*True/,
      },
    ],
  },
]

const inTests = (path: string) => isTest(path) || isFixture(path)
const SQL =
  '(?:SELECT\\s[^"\'`]{1,120}\\sFROM|INSERT\\s+INTO|UPDATE\\s+[^\\s]{1,80}\\s+SET|DELETE\\s+FROM)\\s'
/** In one case or the other, so that constants in capitals can still be distinguished from names. */
const ANY_SQL = `(?:${SQL}|${SQL.toLowerCase()})`
/** The place of a value, not the name of a table. */
const VALUE =
  '(?:[=<>(,%]|\\b(?:LIKE|IN|VALUES|LIMIT|OFFSET|BY|AND|OR|SET|WHERE|like|in|values|limit|offset|by|and|or|set|where))\\s{0,3}[\'"(%]{0,2}'
/** A tag turns inserted values into placeholders. */
const TAGGED = /(?:\bsql|\bSQL|\.sql|\bPrisma\.\w{1,20})\s?`/

export const INJECTION_RULES: readonly LineRule[] = [
  {
    id: 'WITAN-RISK-001',
    severity: 'high',
    category: 'security',
    description: 'Text is run as code.',
    rationale: 'An attacker who controls the text controls the process.',
    fix: 'Parse the text as data, or choose among functions by name.',
    except: inTests,
    tests: [
      {
        languages: ['script'],
        part: 'code',
        pattern: /(?<![\w.$'"])eval\s?\(|\bnew Function\s?\(|\bvm\.runIn\w{1,20}Context\(/,
        unless: /new Function\(\s*(["'])\s*\1\s*\)/,
      },
      {
        languages: ['python'],
        part: 'code',
        pattern: /(?<![\w.'"])(?:eval|exec)\s?\(/,
        unless: /\bdef (?:eval|exec)/,
      },
      { languages: ['php'], part: 'code', pattern: /(?<![\w>:$])(?:eval|assert|create_function)\s?\(\s*\$/ },
      {
        languages: ['ruby'],
        part: 'code',
        pattern: /(?<![\w.])eval[\s(]|\.(?:instance|class|module)_eval\s?\(/,
      },
    ],
  },
  {
    id: 'WITAN-RISK-002',
    severity: 'high',
    category: 'security',
    description: 'A command is put together as text for a shell.',
    rationale: 'A name with a space, a semicolon or a dollar sign becomes a command of its own.',
    fix: 'Call the program directly with a list of arguments and no shell.',
    except: inTests,
    tests: [
      {
        languages: ['script'],
        part: 'said',
        pattern:
          /(?<![\w.$])(?:child_process\.|cp\.)?(?:exec|execSync)\(\s*(?:`[^`]{0,400}\$\{|["'][^"']{0,400}["']\s*\+|[a-z_$][\w$.]{0,60}\s*[,)+])/,
      },
      { languages: ['script'], part: 'code', pattern: /\bshell:\s*true\b/, severity: 'medium' },
      {
        languages: ['python'],
        part: 'code',
        pattern:
          /\bos\.(?:system|popen)\(|\bsubprocess\.\w{2,20}\([^)]{0,300}shell\s*=\s*True|^\s*shell\s*=\s*True\s*,?/,
        unless: /\bos\.(?:system|popen)\(\s*(["'])\s*\1\s*\)/,
      },
      {
        languages: ['go'],
        part: 'said',
        pattern: /exec\.Command(?:Context)?\([^)]{0,40}"(?:sh|bash|cmd)",\s*"(?:-c|\/[cC])",\s*[^"]/,
      },
      {
        languages: ['ruby'],
        part: 'said',
        pattern: /(?<![\w.])(?:system|exec|spawn)[\s(]\s*"[^"]{0,400}#\{|`[^`]{0,400}#\{/,
      },
      {
        languages: ['php'],
        part: 'code',
        pattern: /(?<![\w>:])(?:shell_exec|passthru|system|proc_open|popen)\s?\([^)]{0,200}\$/,
      },
      { languages: ['java'], part: 'code', pattern: /getRuntime\(\)\.exec\([^)]{0,300}\+/ },
      { languages: ['c'], part: 'code', pattern: /(?<![\w.>:])(?:system|popen)\(\s*[a-z_]/ },
    ],
  },
  {
    id: 'WITAN-RISK-003',
    severity: 'medium',
    category: 'security',
    description: 'Text is put into a page as markup.',
    rationale: 'Text from outside that holds a tag runs in the reader’s session.',
    fix: 'Set text content, or sanitise with a library made for it.',
    except: inTests,
    tests: [
      {
        languages: ['script', 'markup', 'php'],
        part: 'code',
        pattern: /\.(?:innerHTML|outerHTML)\s*\+?=(?!=)/,
        unless: /HTML\s*=\s*(["'`])\s*\1\s*[;,)]?\s*$/,
      },
      {
        languages: ['script', 'markup'],
        part: 'code',
        pattern:
          /\.insertAdjacentHTML\(|\bdocument\.write(?:ln)?\(|\bdangerouslySetInnerHTML\b|\sv-html=|\{@html\s/,
      },
      { languages: ['python'], part: 'code', pattern: /\bmark_safe\(\s*[^"'\s)]|\bMarkup\(\s*[a-z_]/ },
    ],
  },
  {
    id: 'WITAN-RISK-004',
    severity: 'high',
    category: 'security',
    description: 'A database query is put together as text.',
    rationale: 'A value with a quote in it ends the string and continues as a query.',
    fix: 'Use placeholders and pass the values beside the query.',
    except: inTests,
    tests: [
      {
        languages: ['script'],
        part: 'said',
        pattern: new RegExp(`\`[^\`]{0,40}${ANY_SQL}[^\`]{0,300}${VALUE}\\$\\{(?![A-Z][A-Z0-9_]{0,40}\\})`),
        unless: TAGGED,
      },
      {
        languages: ['script'],
        part: 'said',
        pattern: new RegExp(
          `\`[^\`]{0,40}${SQL}[^\`]{0,300}?\\$\\{(?![A-Z][A-Z0-9_]{0,40}\\}|[^}]{1,40}\\}"?\\.)`,
        ),
        unless: TAGGED,
        // A schema before a dot comes from configuration, a table may not.
        severity: 'low',
      },
      {
        languages: ['script', 'java', 'csharp', 'go', 'php', 'ruby', 'python'],
        part: 'said',
        pattern: new RegExp(`["']\\s{0,4}${SQL}[^"']{0,400}["']\\s*[+.]\\s*[$A-Za-z_]`, 'i'),
      },
      {
        languages: ['python'],
        part: 'said',
        pattern: new RegExp(`\\bf["']{1,3}[^"']{0,100}${SQL}[^"']{0,400}\\{`, 'i'),
      },
      {
        languages: ['python'],
        part: 'said',
        pattern: new RegExp(`["']\\s{0,4}${SQL}[^"']{0,400}["']{1,3}\\s*(?:%\\s*[(\\w]|\\.format\\()`, 'i'),
      },
      { languages: ['ruby'], part: 'said', pattern: new RegExp(`"[^"]{0,100}${SQL}[^"]{0,400}#\\{`, 'i') },
      { languages: ['go'], part: 'said', pattern: new RegExp(`Sprintf\\(\\s*["\`]\\s{0,4}${SQL}`, 'i') },
    ],
  },
  {
    id: 'WITAN-RISK-005',
    severity: 'high',
    category: 'security',
    description: 'Objects are revived from data in a format that can run code.',
    rationale: 'An attacker who writes the data chooses what runs while it is read.',
    fix: 'Use JSON, or the safe loader of the library.',
    except: inTests,
    tests: [
      {
        languages: ['python'],
        part: 'code',
        pattern:
          /\b(?:c?[pP]ickle|dill|marshal|shelve)\.(?:loads?|open|Unpickler)\(|\bjoblib\.load\(|\bread_pickle\(/,
      },
      {
        languages: ['python'],
        part: 'code',
        pattern: /\byaml\.(?:unsafe_load|load)(?:_all)?\(/,
        unless: /SafeLoader|CSafeLoader|BaseLoader/,
      },
      {
        languages: ['php'],
        part: 'code',
        pattern: /(?<![\w>:])unserialize\(\s*\$/,
        unless: /allowed_classes/,
      },
      { languages: ['java'], part: 'code', pattern: /\bnew ObjectInputStream\(|\.readUnshared\(/ },
      { languages: ['ruby'], part: 'code', pattern: /\bMarshal\.load\(|\bYAML\.(?:load|unsafe_load)\(/ },
      { languages: ['csharp'], part: 'code', pattern: /\bnew BinaryFormatter\(/ },
    ],
  },
]
