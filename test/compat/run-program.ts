import { spawn } from 'node:child_process';

export interface ProgramRun {
  /** Null if it could not be started or was ended by a signal. */
  readonly code: number | null;
  /** Of both streams, as it came. */
  readonly output: string;
}

interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Everything as it comes, for a person who waits. */
  readonly onOutput?: (text: string) => void;
}

const usualTimeoutMs = 600_000;

/** Runs a program to its end; never rejects, since one that cannot be started is a finding too. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { env = {}, cwd, timeoutMs = usualTimeoutMs, onOutput = () => {} }: ProgramOptions = {},
): Promise<ProgramRun> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        onOutput(chunk.toString());
      });
    }
    child.on('error', (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

export function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
