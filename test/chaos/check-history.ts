import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** One operation on one record, from its client's view; times in nanoseconds of one monotonic clock. */
export interface Operation {
  readonly client: number;
  readonly kind: 'create' | 'update' | 'delete' | 'read';
  readonly record: string;
  /** The value that a write sets, unique to this operation. */
  readonly value: string;
  /** The version in If-Match; 0 without one. */
  readonly ifMatch: number;
  readonly call: number;
  readonly return: number;
  readonly outcome: 'ok' | 'missing' | 'mismatch' | 'unknown';
  readonly version: number;
  readonly observed: string;
}

export type Verdict =
  | { readonly ok: true; readonly records: number; readonly operations: number }
  /** `unknown`: the checker ran out of time. */
  | { readonly ok: false; readonly record: string; readonly unknown: boolean };

const sources = join(import.meta.dirname, 'checker');
let built: Promise<string> | undefined;

/** Checks with Porcupine whether each record behaved as one register with versions. */
export async function checkHistory(
  history: readonly Operation[],
  visualization: string,
): Promise<Verdict> {
  built ??= buildChecker();
  const checker = spawn(await built, ['-visualize', visualization], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  checker.stdin.end(JSON.stringify(history));
  return JSON.parse(await text(checker.stdout)) as Verdict;
}

export function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

async function buildChecker(): Promise<string> {
  const directory = join(tmpdir(), 'annals-chaos');
  mkdirSync(directory, { recursive: true });
  const program = join(directory, `checker-${process.pid}`);
  await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: sources });
  return program;
}
