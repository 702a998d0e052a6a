import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, processIdentity } from '../processes/process-identity.ts';
import { killGroup } from '../processes/spawn-child.ts';
import { readJsonIfPresent, writePrivateJson } from './private-file.ts';

/** A process that this run started, noted so that the next run can end it if this one is killed. */
export interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
  readonly identity: string;
  readonly stopSignal: NodeJS.Signals;
}

const stopTimeoutMs = 15_000;
const pollIntervalMs = 50;

export function toRecordedProcess(started: {
  readonly name: string;
  readonly pid: number;
  readonly stopSignal: NodeJS.Signals;
}): RecordedProcess {
  const { name, pid, stopSignal } = started;
  return { name, pid, stopSignal, identity: processIdentity(pid) ?? '' };
}

export function writeRunRecord(path: string, processes: readonly RecordedProcess[]): void {
  if (processes.length === 0) rmSync(path, { force: true });
  else writePrivateJson(path, processes);
}

/**
 * Ends what a killed run left behind, the most recently started first. A recorded number that
 * belongs to another process by now is left alone. Returns the names of those that were ended.
 */
export async function endLeftovers(path: string): Promise<readonly string[]> {
  const leftovers = readRunRecord(path).filter(isStillRunning).toReversed();
  for (const leftover of leftovers) await endProcess(leftover);
  rmSync(path, { force: true });
  return leftovers.map(({ name }) => name);
}

async function endProcess(leftover: RecordedProcess): Promise<void> {
  try {
    process.kill(leftover.pid, leftover.stopSignal);
  } catch {
    return;
  }
  const deadline = Date.now() + stopTimeoutMs;
  while (isStillRunning(leftover)) {
    if (Date.now() > deadline) killGroup(leftover.pid);
    await sleep(pollIntervalMs);
  }
}

const isStillRunning = ({ pid, identity }: RecordedProcess): boolean =>
  isSameProcess(pid, identity);

function readRunRecord(path: string): readonly RecordedProcess[] {
  const record = readJsonIfPresent(path);
  return Array.isArray(record) ? record.filter(isRecordedProcess) : [];
}

function isRecordedProcess(value: unknown): value is RecordedProcess {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'identity' in value &&
    'stopSignal' in value
  );
}
