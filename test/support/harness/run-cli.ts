import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const sources = join(import.meta.dirname, '..', '..', '..');
const toEntry = (root: string): string => join(root, 'infra', 'cli', 'main.ts');

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run annals -- …`, optionally from other sources, and waits for its exit. */
export function runCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root = sources,
): Promise<CliResult> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(
      process.execPath,
      [toEntry(root), ...args],
      options,
      (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
}

export interface RunningCli {
  stdout(): string;
  stderr(): string;
  stop(): Promise<void>;
}

/** Starts a command that does not exit on its own. */
export function startCli(args: readonly string[], env: NodeJS.ProcessEnv): RunningCli {
  const child = spawn(process.execPath, [toEntry(sources), ...args], {
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
