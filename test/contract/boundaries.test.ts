import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

// With a newer TypeScript, or a wrong path, the tool checks no modules and reports no violations.
it('finds no violation of module boundaries', () => {
  const { summary, modules } = cruise('services', 'shared');
  const own = modules.filter(({ source }: { source: string }) =>
    /^(services|shared)\//.test(source),
  );
  expect(own.length).toBeGreaterThan(50);
  expect(summary.violations).toEqual([]);
}, 60_000);

it('finds no cycles between folders', () => {
  const { summary, modules } = cruise(
    '--config',
    '.dependency-cruiser-folders.cjs',
    'services',
    'shared',
  );
  expect(modules.length).toBeGreaterThan(50);
  expect(summary.violations).toEqual([]);
}, 60_000);

function cruise(...args: readonly string[]) {
  const report = execFileSync(
    process.execPath,
    ['node_modules/.bin/depcruise', ...args, '--output-type', 'json'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(report);
}
