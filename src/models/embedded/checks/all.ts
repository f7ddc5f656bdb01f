// Every check of the panel, in the order of their rules' names. A rule never changes its id; ids are not reused.

import type { Check, Rule } from '../finding.ts'
import { INJECTION_RULES, MISHAP_RULES } from './calls.ts'
import { EXPOSURE_RULES } from './exposure.ts'
import { generated } from './generated-files.ts'
import { LEFTOVER_RULES } from './leftovers.ts'
import { type LineRule, lineCheck } from './line-rules.ts'
import { manifests } from './manifests.ts'
import { secretContent } from './secret-content.ts'
import { secretPaths } from './secret-paths.ts'
import { sizes } from './sizes.ts'
import { SKIPPED_TEST_RULES, testCoverage } from './tests.ts'

export const LINE_RULES: readonly LineRule[] = [
  ...INJECTION_RULES,
  ...EXPOSURE_RULES,
  ...MISHAP_RULES,
  ...SKIPPED_TEST_RULES,
  ...LEFTOVER_RULES,
]

export const CHECKS: readonly Check[] = [
  secretContent,
  secretPaths,
  lineCheck(LINE_RULES),
  testCoverage,
  manifests,
  sizes,
  generated,
]

export const RULES: readonly Rule[] = CHECKS.flatMap(({ rules }) => rules)
