// The last lines of a test run: node's test runner's counts, then one plain line that any tool can read.
// In: what vitest found. Out: text on standard output. Counts come from the run itself, never from a guess.
import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    let broken = unhandledErrors.length;
    for (const module of modules) {
      // A file that fails to load has no tests to count, and must not pass for it.
      if (module.errors().length > 0) broken++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'skipped' : state]++;
      }
    }
    const total = counts.passed + counts.failed + counts.skipped;
    const failed = counts.failed + broken;
    const lines = [
      `ℹ tests ${total}`,
      `ℹ pass ${counts.passed}`,
      `ℹ fail ${failed}`,
      `ℹ skipped ${counts.skipped}`,
      `${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}
