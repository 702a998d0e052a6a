import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { limitConcurrency } from '../../../shared/runtime/limit-concurrency.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { BaseContext } from '../context.ts';
import { hasEnded, isRunBy, LEASE_MARGIN_MS, massActionType } from './mass-action.ts';
import { type Run, type RunContext, runMassAction, takeStep } from './run-mass-action.ts';

export interface MassActionWorker {
  /**
   * Carries out a mass action that was decided for this runner, or waits for the runner that it was decided for.
   * Resolves when it has ended. Failures are logged, so no caller has to wait for the result.
   */
  finish(decided: RecordState, runner: string): Promise<RecordState>;
  close(): Promise<void>;
}

const POLL_MS = 500;
const TAKEN_AT_ONCE = 5;
/** Maximum number of concurrent changes by all mass actions in this process, so that other writes are not starved. */
const PARALLEL = 48;

/** Finds mass actions whose lease has expired. */
const abandoned = `
  select id from ${liveTable(massActionType)}
  where leased_until < (now() at time zone 'UTC') - interval '${LEASE_MARGIN_MS / 1_000} seconds'
    and leased_until is not null and not deleted
  order by leased_until limit ${TAKEN_AT_ONCE}`;

/** Carries out a mass action. Resolves with its record, which is not in its final state if the lease was lost. */
type Runner = (run: Run, context: RunContext) => Promise<RecordState>;

/**
 * Each instance carries out its own mass actions, and takes over mass actions that a crash interrupted. `runners`
 * contains, by name, the actions that do not change a given list of records.
 */
export function createMassActionWorker(
  base: BaseContext,
  runners: ReadonlyMap<string, Runner>,
): MassActionWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const context: RunContext = { ...base, signal, inTurn: limitConcurrency(PARALLEL) };
  const { pool, log } = base;
  const working = new Set<Promise<unknown>>();
  const runOf = ({ values }: RecordState): Runner =>
    runners.get(String(values['action'])) ?? runMassAction;

  /** Logs failures of background work, because no client may be waiting for it. */
  function keep<Result>(work: Promise<Result>, massActionId: string): Promise<Result> {
    const kept = work
      .catch((err: unknown) => {
        if (err instanceof Unavailable) {
          log.warn({ err, massActionId }, 'the mass action has not finished yet');
        } else log.error({ err, massActionId }, 'mass action failed');
      })
      .finally(() => working.delete(kept));
    working.add(kept);
    return work;
  }

  /** Carries out a mass action if its runner is gone. Resolves with the current state. */
  async function takeOver(id: string): Promise<RecordState> {
    const runner = randomUUID();
    const state = await takeStep(context, id, { kind: 'take', runner });
    if (hasEnded(state) || !isRunBy(state, runner)) return state;
    log.info({ massActionId: id }, 'interrupted mass action resumed');
    return runOf(state)({ state, runner, isTakenOver: true }, context);
  }

  async function finish(decided: RecordState, runner: string): Promise<RecordState> {
    let state = isRunBy(decided, runner)
      ? await runOf(decided)({ state: decided, runner, isTakenOver: false }, context)
      : await takeOver(decided.id);
    while (!hasEnded(state)) {
      if (signal.aborted) throw new Unavailable('another instance has taken over the mass action');
      await sleep(POLL_MS);
      state = await takeOver(decided.id);
    }
    return state;
  }

  async function look(): Promise<void> {
    const { rows } = await orUnavailable(pool.query<{ id: string }>(abandoned));
    for (const { id } of rows) void keep(takeOver(id), id);
  }

  const looking = runPeriodically(look, { log, what: 'mass actions' });
  return {
    finish: (decided, runner) => keep(finish(decided, runner), decided.id),
    async close() {
      stopping.abort();
      await looking.close();
      await Promise.all(working);
    },
  };
}
