import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const { version } = packageJson;
const root = join(import.meta.dirname, '..', '..');
const timeoutMs = 300_000;
let project: string;

/** Where somebody else's tests would be: the package is installed as `npm run pack` makes it. */
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'annals-example-'));
  cpSync(join(root, 'test', 'example-project'), project, { recursive: true });
  await run(
    'node',
    ['infra/bootstrap.mjs', 'pack', '--pack-destination', project, '--silent'],
    root,
  );
  // Without scripts, as npm installs for whoever has not allowed them.
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, '--save-dev', `./annals-${version}.tgz`], project);
}, timeoutMs);

afterAll(() => rmSync(project, { recursive: true, force: true }));

it('can be imported by the Node of this machine', async () => {
  const program =
    "const { startAnnals } = await import('annals/testing'); console.log(typeof startAnnals)";
  const output = await run('node', ['--input-type=module', '--eval', program], project);
  expect(output).toContain('function');
});

it('has the exports and engines that its documents name', () => {
  const manifest = JSON.parse(
    readFileSync(join(project, 'node_modules', 'annals', 'package.json'), 'utf8'),
  );
  expect(manifest).toMatchObject({ name: 'annals', version, engines: { node: '>=20' } });
  expect(Object.keys(manifest.exports)).toEqual(['./testing', './testing/global-setup']);
});

it(
  'runs the tests of the example project, each file on a clean Annals',
  async () => {
    const output = await run('npm', ['test'], project);
    expect(output).toMatch(/^ℹ pass 5$/m);
    expect(output).toMatch(/^ℹ fail 0$/m);
  },
  timeoutMs,
);

/** With the Node of these tests before that of the machine only where a test runner needs it. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const path =
    args[0] === 'test'
      ? [dirname(process.execPath), process.env['PATH']].join(delimiter)
      : process.env['PATH'];
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: path, FORCE_COLOR: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  expect(code, output).toBe(0);
  return output;
}
