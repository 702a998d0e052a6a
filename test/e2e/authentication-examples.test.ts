import { execFile } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProjectFile } from '../contract/source-files.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { makeTestDirectory } from '../support/test-infrastructure.ts';

const cwd = makeTestDirectory();
let product: StartedProduct;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(async () => {
  rmSync(cwd, { recursive: true });
  await product?.remove();
});

it('runs every example of docs/reference/authentication.md', async () => {
  const document = readProjectFile('docs/reference/authentication.md');
  const blocks = [...document.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(5);
  symlinkSync(product.dataDir, join(cwd, '.annals'));
  const script = ['set -euo pipefail', ...blocks].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd });
  expect(stdout).toContain('"assignmentPermission":"all"');
  expect(stdout).toContain('"list":[]');
  expect(stdout).toContain('otpauth://totp/');
  expect(stdout.trimEnd()).toContain('}true{');
});
