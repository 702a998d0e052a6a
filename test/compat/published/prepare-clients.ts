import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compatCache } from '../compat-cache.ts';
import { preparePython } from '../python-environment.ts';
import { lastLine, runProgram } from '../run-program.ts';

/** The command that runs a client, or the reason why it cannot run here. */
export type Prepared =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly obstacle: string };

const here = import.meta.dirname;
const programs = join(here, 'programs');

/** Installs an npm package that is a program itself; our program gets its path. */
export async function prepareNodeClient(name: string, version: string): Promise<Prepared> {
  const directory = compatCache(`${name}-${version}`);
  const modules = join(directory, 'node_modules');
  // npm writes this file last.
  if (!existsSync(join(modules, '.package-lock.json'))) {
    mkdirSync(directory, { recursive: true });
    const args = ['--prefix', directory, '--ignore-scripts', '--no-audit', '--no-fund'];
    const { code, output } = await runProgram('npm', ['install', ...args, `${name}@${version}`]);
    if (code !== 0) return { obstacle: `npm cannot install it: ${lastLine(output)}` };
  }
  return {
    command: process.execPath,
    args: [join(programs, `${name}.ts`), join(modules, name, 'build', 'index.js')],
  };
}

export async function preparePythonClient(program: string): Promise<Prepared> {
  const environment = await preparePython(join(here, 'requirements.txt'));
  if ('obstacle' in environment) return environment;
  return { command: environment.python, args: [join(programs, program)] };
}

export async function prepareRustClient(): Promise<Prepared> {
  const manifest = join(here, 'rust', 'Cargo.toml');
  const target = compatCache('rust');
  const args = ['--locked', '--quiet', '--manifest-path', manifest, '--target-dir', target];
  const { code, output } = await runProgram('cargo', [
    'fetch',
    '--locked',
    '--manifest-path',
    manifest,
  ]);
  if (code !== 0) return { obstacle: `cargo cannot fetch it: ${lastLine(output)}` };
  return { command: 'cargo', args: ['run', ...args] };
}
