/**
 * Part of `npm run check`: builds the console if needed, and checks that the files that a browser loads before the
 * first page stay within the size budget.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, findConsoleBuild } from './console-build.ts';

const budgetBytes = 230 * 1024;

const { directory, isBuilt } = findConsoleBuild();
if (!isBuilt) execFileSync(process.execPath, [buildProgram], { stdio: 'inherit' });

const page = readFileSync(join(directory, 'index.html'), 'utf8');
const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
  ([, path = '']) => path,
);
const loadedBytes = scripts
  .map((path) => readFileSync(join(directory, `${path}.gz`)).length)
  .reduce((sum, bytes) => sum + bytes, 0);

const inKib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;
const result = `The console loads ${inKib(loadedBytes)} of JavaScript (gzipped) before its first page`;
if (scripts.length > 0 && loadedBytes <= budgetBytes) {
  process.stdout.write(`${result}; the budget is ${inKib(budgetBytes)}.\n`);
} else {
  process.stderr.write(`${result}, more than the budget of ${inKib(budgetBytes)}.\n`);
  process.exitCode = 1;
}
