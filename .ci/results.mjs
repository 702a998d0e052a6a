// Reads the JSON reports of Vitest for `run`. Plain JavaScript for Node 20, without dependencies.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** More failures than these are not a matter of a busy machine. */
const MAX_REPEATED_FILES = 5;

/** @param {string} path */
const readReport = (path) =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8') || '{}') : {};

/** @param {any} file The results of a file in a report. */
function toResult({ status, assertionResults }) {
  const passed = assertionResults.filter(
    (/** @type {any} */ test) => test.status === 'passed',
  ).length;
  const failed = assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
  const titles = failed.map((/** @type {any} */ test) => test.fullName);
  const isBroken = status === 'failed' && titles.length === 0;
  return { passed, failed: isBroken ? ['the file could not be loaded'] : titles };
}

/**
 * Returns the results of each file in a report, and in the report of its repetition, which replaces earlier results. A
 * report that is missing or incomplete counts as a failed test.
 *
 * @param {string} path
 * @returns {[string, {passed: number, failed: string[]}][]}
 */
function readResults(path) {
  const results = new Map();
  const repetition = path.replace(/\.json$/, '-again.json');
  for (const reportPath of existsSync(repetition) ? [path, repetition] : [path]) {
    const { testResults } = readReport(reportPath);
    if (testResults === undefined) results.set(reportPath, { passed: 0, failed: ['no report'] });
    for (const file of testResults ?? []) results.set(relative('.', file.name), toResult(file));
  }
  return [...results];
}

/** @param {string} line */
const print = (line) => process.stdout.write(`${line}\n`);

const [command, ...paths] = process.argv.slice(2);
const results = paths.flatMap(readResults);
const failed = results.filter(([, { failed }]) => failed.length > 0);

if (command === 'to-repeat') {
  const names = failed.map(([name]) => name);
  const canBeRepeated = names.every((name) => existsSync(name) && name.endsWith('.ts'));
  if (names.length <= MAX_REPEATED_FILES && canBeRepeated) print(names.join('\n'));
} else {
  for (const [name, { failed: titles }] of failed) {
    for (const title of titles) print(`Failed: ${name} > ${title}`);
  }
  let passed = 0;
  for (const [, result] of results) passed += result.passed;
  print(`${passed} passed, ${failed.flatMap(([, result]) => result.failed).length} failed`);
}
