// Counts a run for scripts/test.js: every test, every file that could not be loaded and every error outside a test
// is counted once. A test that never ended counts as failed, so that a dead worker cannot look like a quiet one. A test
// that passed only when it was run again is named, so that it gets mended.
import { writeFileSync } from 'node:fs'

export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const summary = { passed: 0, failed: unhandledErrors.length, skipped: [], flaky: [] }
    for (const module of modules) {
      if (module.errors().length > 0) summary.failed++
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) summary.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        const name = `${module.relativeModuleId} > ${test.fullName}`
        if (test.diagnostic()?.flaky) summary.flaky.push(name)
        if (state === 'passed') summary.passed++
        else if (state === 'skipped') summary.skipped.push(name)
        else summary.failed++
      }
    }
    writeFileSync(process.env.WITAN_TEST_SUMMARY, JSON.stringify(summary))
  }
}
