import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

// A newer TypeScript, or a wrong path, makes the tool look at nothing and find everything in order.
it('checks the boundaries of all modules, and finds them kept', () => {
  const { summary, modules } = cruise('services', 'shared');
  const own = modules.filter(({ source }: { source: string }) =>
    /^(services|shared)\//.test(source),
  );
  expect(own.length).toBeGreaterThan(50);
  expect(summary.violations).toEqual([]);
}, 60_000);

it('finds no folders that lean on each other', () => {
  const { summary, modules } = cruise(
    '--config',
    '.dependency-cruiser-folders.cjs',
    'services',
    'shared',
  );
  expect(modules.length).toBeGreaterThan(50);
  expect(summary.violations).toEqual([]);
}, 60_000);

function cruise(...what: readonly string[]) {
  const report = execFileSync(
    process.execPath,
    ['node_modules/.bin/depcruise', ...what, '--output-type', 'json'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(report);
}
