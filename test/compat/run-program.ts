import { spawn } from 'node:child_process';

export interface ProgramRun {
  /** Null if the program could not be started or was killed by a signal. */
  readonly code: number | null;
  /** The output of both streams, in order. */
  readonly output: string;
}

interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Receives all output as it arrives, for progress. */
  readonly onOutput?: (text: string) => void;
}

const usualTimeoutMs = 600_000;

/** Runs a program until it exits. Never rejects: a failed start is a result, too. */
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
