import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import type { Pieces } from '../../../shared/files/file-pieces.ts';
import { limitConcurrency } from '../../../shared/runtime/limit-concurrency.ts';

/** Throws a refusal for an infected file, and Unavailable if the file cannot be scanned. */
export type ScanFile = (pieces: Pieces) => Promise<void>;

/** Scanners unpack archives, which takes a while. */
const SCAN_WITHIN_MS = 60_000;
/** The exit code of `clamscan` and `clamdscan` for a file with a virus. */
const INFECTED = 1;
const MAX_OUTPUT = 2_000;
const SCANS_AT_ONCE = 4;

/**
 * Returns a function that sends a file to the standard input of a command, whose exit code is 0 for a clean file and 1
 * for an infected one. Every other end means that the file was not scanned.
 */
export function createScanFile(command: readonly string[], withinMs = SCAN_WITHIN_MS): ScanFile {
  const [program, ...args] = command;
  if (program === undefined) return async () => undefined;
  const inTurn = limitConcurrency(SCANS_AT_ONCE);
  return (pieces) => inTurn(() => scan(program, args, { pieces, withinMs }));
}

async function scan(
  program: string,
  args: readonly string[],
  { pieces, withinMs }: { readonly pieces: Pieces; readonly withinMs: number },
): Promise<void> {
  // A killed api must not leave a scanner behind that waits for input: its input then ends.
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: withinMs,
    killSignal: 'SIGKILL',
  });
  const output = collectOutput(child);
  const exit = once(child, 'exit');
  // A scanner may stop reading once it has found a virus.
  const sending = pipeline(Readable.from(pieces), child.stdin).catch((error: unknown) => error);
  const [code] = await exit.catch((error: unknown) => [error]);
  // A process that the command started may hold the other ends.
  for (const stream of child.stdio) stream?.destroy();
  await sending;
  if (code === 0) return;
  if (code === INFECTED) throw infected();
  throw new Unavailable('The file could not be scanned for viruses. Try again later.', {
    cause: code instanceof Error ? code : new Error(`${program} ended with ${code}: ${output()}`),
    remedy: 'start the virus scanner, or correct API_UPLOAD_SCAN_COMMAND',
  });
}

function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(0, MAX_OUTPUT);
    });
  }
  return () => text.trim();
}

function infected(): Refusal {
  const message = 'The virus scanner rejects this file. Nothing was stored.';
  return new Refusal('invalid', 'file.infected', message);
}
