// Calls that lose errors, memory or data: swallowed exceptions, unbounded copies, what deletes and cannot be undone,
// debugging left on where users are.

import { isDocument, isFixture, isTest } from '../paths.ts'
import type { LineRule } from './line-rules.ts'

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
