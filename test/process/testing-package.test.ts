import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { becauseOf } from '../support/docker-obstacle.ts';

const { version } = packageJson;
const root = join(import.meta.dirname, '..', '..');
const timeoutMs = 300_000;
/** The programs of the machine, not those of the project's dependencies. */
const path = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((directory) => !directory.startsWith(join(root, 'node_modules')))
  .join(delimiter);

const project = mkdtempSync(join(tmpdir(), 'annals-example-'));
const obstacle = await install();

/** A project that uses the package as `npm run pack` builds it. */
async function install(): Promise<string | undefined> {
  cpSync(join(root, 'test', 'example-project'), project, { recursive: true });
  const packing = ['run', 'pack', '--', '--pack-destination', project, '--silent'];
  expect(await run('npm', packing, root)).toMatchObject({ code: 0 });
  // Without scripts, as npm installs packages without permission to run them.
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  const installing = ['install', ...quiet, '--save-dev', `./annals-${version}.tgz`];
  const { code, output } = await run('npm', installing, project);
  if (code !== 0 && /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)\b/.test(output)) {
    return 'npm cannot reach its registry';
  }
  expect(code, output).toBe(0);
  return undefined;
}

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe.skipIf(obstacle !== undefined)(`the package annals/testing${becauseOf(obstacle)}`, () => {
  it('can be imported by the Node of this machine', async () => {
    const program =
      "const { startAnnals } = await import('annals/testing'); console.log(typeof startAnnals)";
    const { output } = await run('node', ['--input-type=module', '--eval', program], project);
    expect(output).toContain('function');
  });

  it('has the documented exports and engines', () => {
    const manifest = JSON.parse(
      readFileSync(join(project, 'node_modules', 'annals', 'package.json'), 'utf8'),
    );
    expect(manifest).toMatchObject({ name: 'annals', version, engines: { node: '>=20' } });
    expect(Object.keys(manifest.exports)).toEqual(['./testing', './testing/global-setup']);
  });

  it(
    'runs each test file of the example project on a clean Annals',
    async () => {
      // Its test runner requires the Node of this project.
      const PATH = [dirname(process.execPath), path].join(delimiter);
      const { output } = await run('npm', ['test'], project, { PATH });
      expect(output).toMatch(/^ℹ pass 5$/m);
      expect(output).toMatch(/^ℹ fail 0$/m);
    },
    timeoutMs,
  );
});

interface RunProgram {
  readonly code: number | null;
  readonly output: string;
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunProgram> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: path, FORCE_COLOR: '0', ...env },
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
  return { code, output };
}
