// Appends changes of watched fields to the records log at a steady rate, in a process separate from their
// readers.
import { setTimeout as sleep } from 'node:timers/promises';
import { type FilledTopic, type GrowingLog, growLog } from '../fill-log.ts';
import { markTime } from '../load/time-mark.ts';
import { fieldChange, type WatchedField } from '../watched-fields.ts';
import { serveParent } from './serve-parent.ts';

export interface PacedAppend extends FilledTopic {
  /** The fields to change in turn. */
  readonly fields: readonly WatchedField[];
  readonly perSecond: number;
  readonly durationMs: number;
}

const TICK_MS = 1;
let log: GrowingLog | undefined;
let number = 0;

serveParent(async ({ fields, perSecond, durationMs, ...topic }: PacedAppend): Promise<number> => {
  log ??= growLog(topic);
  const total = Math.round((perSecond * durationMs) / 1000);
  const startedAt = performance.now();
  for (let sent = 0; sent < total; await sleep(TICK_MS)) {
    const due = Math.min(total, ((performance.now() - startedAt) * perSecond) / 1000);
    for (; sent < due; sent++) {
      const field = fields[number % fields.length];
      if (field !== undefined) log.add(fieldChange(field, { number, text: markTime() }));
      number += 1;
    }
    await log.flush();
  }
  return total;
});
