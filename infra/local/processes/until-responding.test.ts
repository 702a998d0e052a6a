import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningChild, spawnChild } from './spawn-child.ts';
import { untilResponding } from './until-responding.ts';

const TIMEOUT_MS = 2_000;
let dataDir: string;
let server: RunningChild | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'annals-answering-'));
});

afterEach(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Waits for a server that writes a line every 100 ms and responds after twice the time limit. */
async function start(line: string): Promise<readonly string[]> {
  const progress: string[] = [];
  const logFile = join(dataDir, 'server.log');
  server = await spawnChild({
    name: 'server',
    command: 'sh',
    args: ['-c', `n=0; while :; do n=$((n + 1)); echo "$n ${line}"; sleep 0.1; done`],
    logFile,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 1_000,
  });
  const respondsAt = Date.now() + 2 * TIMEOUT_MS;
  await untilResponding(server, {
    name: 'Server',
    isResponding: async () => Date.now() >= respondsAt,
    progressMark: 'recovered',
    onProgress: (text) => void progress.push(text),
    timeoutMs: TIMEOUT_MS,
    pollIntervalMs: 50,
    dataDir,
    logFile,
  });
  return progress;
}

it('waits for a server while its log reports progress and forwards the progress', async () => {
  const progress = await start('of 40 segments recovered');
  expect(progress.at(-1)).toMatch(/^\d+ of 40 segments recovered$/);
  expect(server?.hasExited()).toBe(false);
});

it('stops a server whose log reports no progress in time', async () => {
  await expect(start('connections refused')).rejects.toThrow(/^Starting Server within 2 s/);
  expect(server?.hasExited()).toBe(true);
});
