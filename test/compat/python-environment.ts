import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compatCache } from './compat-cache.ts';
import { lastLine, runProgram } from './run-program.ts';

export type PythonEnvironment =
  | { readonly python: string }
  | {
      /** The reason why Python is not available, as the end of a sentence. */ readonly obstacle: string;
    };

/**
 * Creates a Python environment with exactly the packages of this list, once per user and list. It is created
 * in a temporary place and moved when complete: an interrupted run leaves no partial environment, and of two
 * runs the first to finish wins.
 */
export async function preparePython(requirementsFile: string): Promise<PythonEnvironment> {
  const list = readFileSync(requirementsFile, 'utf8');
  const place = compatCache(
    `python-${createHash('sha256').update(list).digest('hex').slice(0, 12)}`,
  );
  const python = join(place, 'bin', 'python');
  if (existsSync(python)) return { python };
  const made = `${place}.${process.pid}`;
  const steps = [
    ['python3', '-m', 'venv', made],
    [join(made, 'bin', 'python'), '-m', 'pip', 'install', ...quietly, '-r', requirementsFile],
  ] as const;
  for (const [command, ...args] of steps) {
    const { code, output } = await runProgram(command, args);
    if (code === 0) continue;
    rmSync(made, { recursive: true, force: true });
    return { obstacle: `${command} ${args.slice(0, 3).join(' ')}: ${lastLine(output)}` };
  }
  try {
    renameSync(made, place);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(python)) throw error;
  }
  return { python };
}

// Fails quickly without network access, and builds nothing.
const quietly = [
  '--quiet',
  '--disable-pip-version-check',
  '--retries',
  '1',
  '--timeout',
  '10',
].concat(['--no-deps', '--only-binary', ':all:']);
