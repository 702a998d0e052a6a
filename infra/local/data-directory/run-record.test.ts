import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processIdentity } from '../processes/process-identity.ts';
import { type RunningChild, spawnChild } from '../processes/spawn-child.ts';
import { writePrivateFile } from './private-file.ts';
import { endLeftovers, toRecordedProcess, writeRunRecord } from './run-record.ts';

let directory: string;
let record: string;
let sleeper: RunningChild;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'annals-run-'));
  record = join(directory, 'run.json');
  sleeper = await spawnChild({
    name: 'sleeper',
    command: 'sleep',
    args: ['60'],
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 1_000,
  });
});

afterEach(async () => {
  await sleeper.stop();
  rmSync(directory, { recursive: true, force: true });
});

const recordSleeper = (): ReturnType<typeof toRecordedProcess> =>
  toRecordedProcess({ name: 'sleeper', pid: sleeper.pid, stopSignal: 'SIGTERM' });

describe('endLeftovers', () => {
  it('ends a recorded process that still runs', async () => {
    writeRunRecord(record, [recordSleeper()]);

    expect(await endLeftovers(record)).toEqual(['sleeper']);

    expect(await sleeper.exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(existsSync(record)).toBe(false);
  });

  it('leaves a process alone that only bears the number of a recorded one', async () => {
    writeRunRecord(record, [{ ...recordSleeper(), identity: 'of an earlier process' }]);

    expect(await endLeftovers(record)).toEqual([]);

    expect(processIdentity(sleeper.pid)).toBeDefined();
  });

  it.each(['', '{}', '[{"name":"x"}]', '[null]'])(
    'makes nothing of a damaged record: %j',
    async (content) => {
      writePrivateFile(record, content);

      expect(await endLeftovers(record)).toEqual([]);
    },
  );
});
