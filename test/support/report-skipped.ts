import type { Reporter, TestModule } from 'vitest/node';

/** Lists the skipped tests at the end of a run. Their titles, or the note of the skip, give the reason. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => {
      const skipped = [...module.children.allTests('skipped')].map((test) => {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        return `  ${test.fullName}${note === undefined ? '' : ` (${note})`}`;
      });
      return skipped.length === 0 ? [] : [module.relativeModuleId, ...skipped];
    });
    if (lines.length > 0) {
      process.stdout.write(`\nSkipped:\n${lines.join('\n')}\n`);
    }
  }
}
