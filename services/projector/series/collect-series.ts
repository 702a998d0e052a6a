/**
 * Stores the time series of an installation: at the end of each step it reads the metrics of all processes, and stores
 * the difference from the previous step as one row.
 *
 *   idle ──assigned──▶ read metrics ──▶ wait for the end of the step ──▶ read metrics ──▶ store ──┐
 *                                         ▲                                                       │
 *                                         └───────────────────────────────────────────────────────┘
 *
 * Nothing else depends on the series. A failed step is skipped, and the next row covers the time since the last row. If
 * the process dies or another one takes over, the numbers since the last row are lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { orOutage } from '../../../shared/db/outage-of.ts';
import type { SeriesSample } from '../../../shared/series/sample.ts';
import { type Look, measureStep, updateLook } from './measure-step.ts';
import type { ProcessNumbers } from './read-process.ts';
import { ensureSampleTables, storeSample, thinSamples } from './sample-tables.ts';

interface SeriesDeps {
  /** Reads the numbers of every process that responds, by address. Throws Unavailable. */
  readonly readProcesses: (signal: AbortSignal) => Promise<ReadonlyMap<string, ProcessNumbers>>;
  readonly connect: () => Promise<Client>;
  /** Whether the disks have room for dispensable data. */
  readonly hasRoom: () => boolean;
  readonly everyMs: number;
  readonly log: Logger;
}

const THIN_EVERY_MS = 1_800_000;

export function collectSeries(deps: SeriesDeps) {
  const { everyMs, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isOurs = false;
  let wake: () => void = () => undefined;
  let before: Look | undefined;
  let thinAgainAt = 0;
  let isFailing = false;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (!isOurs) {
        before = undefined;
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      await attempt();
      await sleep(everyMs - (Date.now() % everyMs), undefined, { signal }).catch(() => undefined);
    }
  }

  async function attempt(): Promise<void> {
    try {
      await collect();
      isFailing = false;
    } catch (err) {
      if (!isFailing && !signal.aborted)
        log.info({ err: orOutage(err) }, 'cannot collect series; retrying');
      isFailing = true;
    }
  }

  async function collect(): Promise<void> {
    if (!deps.hasRoom()) return;
    // Rounds to the end of the step, because a timer may fire a moment early.
    const at = Math.round(Date.now() / everyMs) * everyMs;
    const answers = await deps.readProcesses(signal);
    const now = Date.now();
    if (signal.aborted) return;
    if (before !== undefined) await store(measureStep(before, answers, { at, now }));
    before = updateLook(before, answers, now);
  }

  /** Opens a connection each time: a permanent one would occupy a Postgres process for little work. */
  async function store(sample: SeriesSample): Promise<void> {
    const client = await deps.connect();
    try {
      await ensureSampleTables(client);
      await storeSample(client, sample);
      if (sample.at < thinAgainAt) return;
      await thinSamples(client, sample.at);
      thinAgainAt = sample.at + THIN_EVERY_MS;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  const running = run();
  return {
    assign(ours: boolean): void {
      isOurs = ours;
      if (ours) wake();
    },
    async close(): Promise<void> {
      stopping.abort();
      wake();
      await running;
    },
  };
}
