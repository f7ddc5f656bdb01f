// Every check of the panel, in the order of their rules' names. A rule keeps its id for ever; ids are not reused.

import type { Check, Rule } from '../finding.ts'
import { EXPOSURE_RULES } from './exposure.ts'
import { generated } from './generated.ts'
import { INJECTION_RULES } from './injection.ts'
import { LEFTOVER_RULES } from './leftovers.ts'
import { type LineRule, lineCheck } from './line-rules.ts'
import { manifests } from './manifests.ts'
import { MISHAP_RULES } from './mishaps.ts'
import { secretContent } from './secret-content.ts'
import { secretPaths } from './secret-paths.ts'
import { sizes } from './sizes.ts'
import { SKIPPED_TEST_RULES } from './skipped-tests.ts'
import { testCoverage } from './test-coverage.ts'

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
