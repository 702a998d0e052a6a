// Reads the JSON reports of Vitest for `run`. Plain JavaScript for Node 20, without dependencies.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** More failures than these are not a matter of a busy machine. */
const MAX_REPEATED_FILES = 5;

/**
 * The results of each file in a report, and after a repetition, its later ones. A report that is missing or ended early
 * counts as a failed test.
 *
 * @param {string} path
 * @returns {Map<string, {passed: number, failed: string[]}>}
 */
function readResults(path) {
  const results = new Map();
  const repetition = path.replace(/\.json$/, '-again.json');
  for (const reportPath of existsSync(repetition) ? [path, repetition] : [path]) {
    const report = existsSync(reportPath) ? JSON.parse(readFileSync(reportPath, 'utf8') || '{}') : {};
    if (report.testResults === undefined) {
      results.set(reportPath, { passed: 0, failed: ['no report'] });
    }
    for (const { name, status, assertionResults } of report.testResults ?? []) {
      const passed = assertionResults.filter((test) => test.status === 'passed').length;
      const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
      const isBroken = status === 'failed' && failed.length === 0;
      results.set(relative('.', name), { passed, failed: isBroken ? ['the file could not be loaded'] : failed });
    }
  }
  return results;
}

const [command, ...paths] = process.argv.slice(2);
const results = paths.flatMap((path) => [...readResults(path)]);
const failed = results.filter(([, { failed }]) => failed.length > 0);

if (command === 'to-repeat') {
  const names = failed.map(([name]) => name);
  if (names.length <= MAX_REPEATED_FILES && names.every((name) => existsSync(name) && name.endsWith('.ts'))) {
    console.log(names.join('\n'));
  }
} else {
  for (const [name, { failed: titles }] of failed) {
    console.log(titles.map((title) => `Failed: ${name} > ${title}`).join('\n'));
  }
  const sum = (/** @type {(result: {passed: number, failed: string[]}) => number} */ count) =>
    results.reduce((total, [, result]) => total + count(result), 0);
  console.log(`${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed.length)} failed`);
}
