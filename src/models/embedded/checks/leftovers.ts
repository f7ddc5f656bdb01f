// What should be removed before merging: conflict markers, notes to oneself, debugging, characters that hide code.

import { isDocument, isFixture, isSource, isTest, isTooling } from '../paths.ts'
import type { LineRule } from './line-rules.ts'

const BIDI = /[\u202A-\u202E\u2066-\u2069]/
const notSource = (path: string) => !isSource(path)
const NOTE = '(?:TODO|FIXME|XXX|HACK)'

export const LEFTOVER_RULES: readonly LineRule[] = [
  {
    id: 'WITAN-MERGE-001',
    severity: 'high',
    category: 'correctness',
    description: 'A conflict marker of a merge stands in the file.',
    rationale: 'Both sides of the conflict are still there; the file means neither.',
    fix: 'Settle the conflict and remove the markers.',
    except: isFixture,
    tests: [{ languages: null, part: 'line', pattern: /^(?:<{7}|>{7}|\|{7}) \S|^<{7}$|^>{7}$/ }],
  },
  {
    id: 'WITAN-TODO-001',
    severity: 'low',
    category: 'maintainability',
    description: 'A note about unfinished work is added.',
    rationale: 'Notes in code are seldom found again; the work is known only here.',
    fix: 'Do it now, or put it where work is tracked and name the entry.',
    onlyChanges: true,
    except: isFixture,
    tests: [
      {
        languages: null,
        part: 'comment',
        pattern: new RegExp(`^\\W{0,20}${NOTE}\\b|(?<![\\w-])${NOTE}(?:\\([^)]{0,60}\\))?:\\s`),
      },
      { languages: ['text'], part: 'line', pattern: /^\W{0,20}(?:TODO|FIXME)(?:\([^)]{0,60}\))?:\s/ },
    ],
  },
  {
    id: 'WITAN-DEBUG-001',
    severity: 'medium',
    category: 'maintainability',
    description: 'A breakpoint is left in the code.',
    rationale: 'The program stops there and waits for someone who is not there.',
    fix: 'Remove it.',
    tests: [
      { languages: ['script'], part: 'code', pattern: /^\s*debugger\s*;?\s*$/ },
      {
        languages: ['python'],
        part: 'code',
        pattern: /\b(?:pdb|ipdb|pudb)\.set_trace\(|(?<![\w.])breakpoint\(\s*\)/,
      },
      { languages: ['ruby'], part: 'code', pattern: /\bbinding\.(?:pry|irb|break)\b|(?<![\w.])byebug\b/ },
    ],
  },
  {
    id: 'WITAN-DEBUG-002',
    severity: 'low',
    category: 'maintainability',
    description: 'Output for debugging is left in the code.',
    rationale: 'It mixes with real output and may show what is private.',
    fix: 'Remove it, or use the program’s own log.',
    onlyChanges: true,
    except: (path) => notSource(path) || isTooling(path) || isTest(path) || isDocument(path),
    tests: [
      { languages: ['script'], part: 'code', pattern: /(?<![\w.])console\.(?:log|debug|dir|trace|table)\(/ },
      {
        languages: ['python'],
        part: 'code',
        pattern: /^\s*print\(\s*(?:f?["']\s*["']\s*[,)]|[a-z_]\w{0,40}\s*\))/,
        unless: /\bfile\s*=/,
      },
      { languages: ['rust'], part: 'code', pattern: /(?<!\w)dbg!\(/ },
      { languages: ['php'], part: 'code', pattern: /(?<![\w>:])(?:var_dump|print_r|dd)\s?\(/ },
      { languages: ['go'], part: 'code', pattern: /\bspew\.Dump\(|(?<![\w.])println\(/ },
    ],
  },
  {
    id: 'WITAN-HIDDEN-001',
    severity: 'high',
    category: 'security',
    description: 'A character that reverses the direction of text stands in the line.',
    rationale: 'The line shows other code than the one that runs.',
    fix: 'Remove it, or write it as an escape.',
    except: isDocument,
    tests: [{ languages: null, part: 'line', pattern: BIDI }],
  },
]
