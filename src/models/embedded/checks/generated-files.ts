// Files that a tool writes: build output does not belong in a change, and a file marked as generated is
// edited at its source or not at all.

import type { Check, Rule } from '../finding.ts'
import { isBuilt, isLockFile, isMinified, isVendored } from '../paths.ts'

const BUILT: Rule = {
  id: 'WITAN-GENERATED-001',
  severity: 'medium',
  category: 'maintainability',
  description: 'Built or cached output is part of the change.',
  rationale: 'It goes stale at the next build, hides what changed, and can hold code that no source shows.',
  fix: 'Take it out and name it in .gitignore.',
}
const MARKED: Rule = {
  id: 'WITAN-GENERATED-002',
  severity: 'low',
  category: 'maintainability',
  description: 'A file that says it is generated is changed.',
  rationale: 'The next run of its generator overwrites what was edited by hand.',
  fix: 'Change the source of the generator and run it; say so in the change.',
}
const MARK =
  /^\W{0,10}(?:Code generated .{0,120}DO NOT EDIT|@generated\b|(?:This file (?:is|was) )?(?:auto-?generated|automatically generated)\b.{0,120}(?:do not|don't|not) (?:edit|modify)|DO NOT EDIT(?: THIS FILE|\b.{0,80}generated))/i
const HEAD = 8

export const generated: Check = {
  rules: [BUILT, MARKED],
  *find({ files }) {
    const seen = new Set<string>()
    for (const { path, status, text, added, views } of files) {
      if (status === 'deleted' || status === 'present') continue
      if (status === 'added' && (isBuilt(path) || (isMinified(path) && !isVendored(path)))) {
        // One finding for each folder: a committed dependency tree is one mistake.
        const folder =
          /^(.*?(?:node_modules|__pycache__|bower_components|coverage))\//.exec(path)?.[1] ?? path
        if (!seen.has(folder)) yield { rule: BUILT, path, line: null }
        seen.add(folder)
        continue
      }
      if (isLockFile(path) || status !== 'modified' || added.length === 0) continue
      const head =
        text === null ? (views.after[0] ?? []).slice(0, HEAD) : text.slice(0, 2000).split('\n', HEAD)
      if (head.some((line) => MARK.test(line.slice(0, 300)))) yield { rule: MARKED, path, line: null }
    }
  },
}
