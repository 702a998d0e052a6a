import { describe, expect, it } from 'vitest';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import {
  decideMassAction,
  LEASE_MARGIN_MS,
  LEASE_MS,
  leaseEndOf,
  type MassActionStep,
  plannedIn,
  resultOf,
} from './mass-action.ts';

const now = Date.UTC(2030, 0, 1);
const planned = {
  entityType: 'Lead',
  action: 'update',
  data: { values: { status: 'Dead', text: '\u0000\ud800' } },
  ids: ['a', 'b', 'c'],
  isByIds: true,
};

type TimedStep = readonly [step: MassActionStep, at: number];

/** Returns the mass action after these steps. A step that changes nothing leaves it unchanged. */
function after(steps: readonly TimedStep[]): RecordState | undefined {
  return steps.reduce<RecordState | undefined>((state, [step, at]) => {
    const decision = decideMassAction(state, step, { id: 'm', now: at });
    if (decision === undefined) return state;
    return evolve(state, {
      ...decision,
      eventId: 'e',
      entityType: 'MassAction',
      recordId: 'm',
      version: (state?.version ?? 0) + 1,
      occurredAt: at,
      actorId: 'ann',
      commandId: null,
      commandHash: null,
      correlationId: null,
      access: { assignedUserId: null, createdById: 'ann', teamIds: [] },
    });
  }, undefined);
}

const decided: TimedStep = [{ kind: 'decide', runner: 'first', planned }, now];
const end = (runner: string): MassActionStep => ({
  kind: 'end',
  runner,
  status: 'Success',
  processedCount: 2,
  skippedIds: ['b'],
});
const state = (...steps: readonly TimedStep[]): RecordState => {
  const found = after(steps);
  if (found === undefined) throw new Error('nothing was decided');
  return found;
};

describe('a mass action', () => {
  it('contains the complete decision in characters that Postgres can store', () => {
    const { values, version } = state(decided);
    expect(version).toBe(1);
    expect(values).toMatchObject({ status: 'Running', runner: 'first', processedCount: 0 });
    expect(plannedIn(state(decided))).toEqual(planned);
    expect(values['data']).not.toContain('\0');
  });

  it('belongs to its runner until the lease and the margin expire', () => {
    const taken = { kind: 'take', runner: 'second' } as const;
    const free = now + LEASE_MS + LEASE_MARGIN_MS;
    expect(leaseEndOf(state(decided))).toBe(now + LEASE_MS);
    expect(state(decided, [taken, free]).values['runner']).toBe('first');
    expect(state(decided, [taken, free + 1]).values['runner']).toBe('second');
    const renewed = [{ kind: 'renew', runner: 'first', processedCount: 1 }, now + 5_000] as const;
    expect(state(decided, renewed, [taken, free + 1]).values).toMatchObject({
      runner: 'first',
      processedCount: 1,
    });
  });

  it('is neither renewed nor ended by a runner that lost it', () => {
    const late = now + 60_000;
    const taken = [{ kind: 'take', runner: 'second' }, late] as const;
    const renew = { kind: 'renew', runner: 'first', processedCount: 3 } as const;
    expect(state(decided, taken, [renew, late], [end('first'), late]).values).toMatchObject({
      status: 'Running',
      runner: 'second',
      processedCount: 0,
    });
  });

  it('ends once with its counts and cannot be taken over afterwards', () => {
    const ended = state(decided, [end('first'), now]);
    expect(ended.values).toMatchObject({ status: 'Success', runner: null, leasedUntil: null });
    expect(resultOf(ended)).toEqual({ count: 2, ids: ['a', 'c'] });
    const taken = { kind: 'take', runner: 'second' } as const;
    const again = { ...end('first'), processedCount: 9 } as MassActionStep;
    expect(state(decided, [end('first'), now], [taken, now * 2], [again, now])).toEqual(ended);
  });

  it('returns ids only if the request had ids', () => {
    const search = { kind: 'decide', runner: 'first', planned: { ...planned, isByIds: false } };
    expect(resultOf(state([search as MassActionStep, now], [end('first'), now]))).toEqual({
      count: 2,
    });
  });
});
