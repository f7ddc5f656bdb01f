// Tests that no longer run: skipped for no stated condition, or left out because another one was singled out.

import { languageOf } from '../language.ts'
import { isTest } from '../paths.ts'
import type { LineRule } from './line-rules.ts'

/** Rust keeps tests beside the code. */
const notTest = (path: string) => !isTest(path) && languageOf(path) !== 'rust'

export const SKIPPED_TEST_RULES: readonly LineRule[] = [
  {
    id: 'WITAN-TEST-004',
    severity: 'medium',
    category: 'testing',
    description: 'A test is switched off.',
    rationale: 'It still counts in everyone’s head and checks nothing.',
    fix: 'Mend it or remove it; where it cannot run everywhere, name the condition.',
    except: notTest,
    tests: [
      {
        languages: ['script'],
        part: 'code',
        pattern:
          /(?<![\w.$])(?:(?:it|test|describe|suite|context)(?:\.concurrent|\.sequential)?\.skip|xit|xdescribe|xtest|xcontext)\s?[(.`]/,
      },
      {
        languages: ['python'],
        part: 'code',
        pattern:
          /^\s*@(?:pytest\.mark\.|unittest\.)?skip(?![iI]f|[uU]nless)\b|\bpytestmark\s*=\s*pytest\.mark\.skip\b(?!if)|^ {0,4}pytest\.skip\(/,
      },
      { languages: ['rust'], part: 'code', pattern: /^\s*#\[ignore\b/ },
      { languages: ['go'], part: 'code', pattern: /^\t(?:t|b)\.Skip(?:f|Now)?\(/ },
      { languages: ['java', 'swift'], part: 'code', pattern: /^\s*@(?:Disabled|Ignore)(?!\w)/ },
      {
        languages: ['csharp'],
        part: 'code',
        pattern: /\[(?:Fact|Theory)\([^)]{0,200}\bSkip\s*=|^\s*\[Ignore\b/,
      },
      {
        languages: ['ruby'],
        part: 'code',
        pattern: /^\s*(?:xit|xdescribe|xcontext|xspecify)\s|^\s*(?:skip|pending)(?:\s+["']|\s*$)/,
      },
    ],
  },
  {
    id: 'WITAN-TEST-005',
    severity: 'high',
    category: 'testing',
    description: 'One test is singled out, so the others of its file do not run.',
    rationale: 'The run is green although nearly nothing was tried.',
    fix: 'Remove the mark before merging.',
    except: notTest,
    tests: [
      {
        languages: ['script'],
        part: 'code',
        pattern:
          /(?<![\w.$])(?:it|test|describe|suite|context)(?:\.concurrent|\.sequential)?\.only\s?[(.`]|^\s*(?:fit|fdescribe|fcontext)\s?\(/,
      },
      {
        languages: ['ruby'],
        part: 'code',
        pattern: /^\s*(?:fit|fdescribe|fcontext)\s|,\s*:?focus(?::\s*true|\s+do)/,
      },
    ],
  },
]
