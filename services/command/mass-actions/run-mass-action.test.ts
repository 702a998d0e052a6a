import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { userInactive } from '../../../shared/domain/directory/acting-user.ts';
import { createDirectory, type Directory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../../../test/support/builders/record-event-builder.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import type { CommandDefinition } from '../owner/define-command.ts';
import {
  decideMassAction,
  type MassActionStep,
  massActionKey,
  type PlannedMassAction,
  resultOf,
  statusOf,
} from './mass-action.ts';
import { type Run, type RunContext, runMassAction } from './run-mass-action.ts';

const ids = ['a', 'b', 'c'];
const eventOf = (recordId: string): Omit<RecordEvent, 'type' | 'changes' | 'version'> => ({
  eventId: 'e',
  entityType: 'MassAction',
  recordId,
  occurredAt: 0,
  actorId: 'ann',
  commandId: null,
  commandHash: null,
  correlationId: null,
  access: { assignedUserId: null, createdById: null, teamIds: [] },
});

let now: number;
let state: RecordState;
let changed: string[];
let done: Set<string>;
/** The records in Postgres. */
let records: Map<string, RecordState>;
/** Simulates a change to a record. */
let change: (id: string) => unknown;
let directory: Directory;
let ann: RecordEvent;
/** Number of checks for cancellation. */
let looks: number;

function takeStep(step: MassActionStep, before?: RecordState): RecordState {
  const decision = decideMassAction(before, step, { id: 'm', now });
  const version = (before?.version ?? 0) + 1;
  if (decision !== undefined) state = evolve(before, { ...eventOf('m'), version, ...decision });
  return state;
}

const answered = (after: RecordState): CommandAnswer => ({
  state: after,
  consistencyToken: '',
  isReplay: false,
  changed: [],
});

async function send(
  { name }: CommandDefinition,
  { body, id = '' }: Command<object>,
): Promise<CommandAnswer> {
  if (name === 'mass-action') {
    return answered(takeStep(body as MassActionStep, state));
  }
  await change(id);
  changed.push(id);
  return answered(state);
}

/** Replaces Ann's attributes. */
function alter(values: AttributeValues): void {
  ann = anUpdateAfter(ann, values);
  const changes = Object.entries(values).map(([attribute, after]) => ({
    attribute,
    before: null,
    after,
  }));
  directory.apply({ ...ann, changes });
}

const run = async (input: Partial<Run> = {}) => {
  const parts = {
    directory,
    sender: senderOf(send),
    untilCaughtUp: async () => undefined,
    readRecord: async (_: unknown, id: string) => records.get(id),
    async readMassAction() {
      looks += 1;
      return state;
    },
    findDone: async (_: unknown, keys: readonly string[]) =>
      new Set(keys.filter((key) => done.has(key))),
    timeoutMs: 1_000,
    now: () => now,
  };
  const context: RunContext = {
    ...commandContext(parts),
    inTurn: async (task) => task(),
    signal: new AbortController().signal,
  };
  return runMassAction({ state, runner: 'first', isTakenOver: false, ...input }, context);
};

function decided(planned: Partial<PlannedMassAction> = {}): void {
  const wanted = { entityType: 'Lead', action: 'delete', data: {}, ids, isByIds: true, ...planned };
  takeStep({ kind: 'decide', runner: 'first', planned: wanted });
}

beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  directory = createDirectory(stockDefinitions);
  ann = aCreation('User', { type: 'admin', isActive: true, rolesIds: [] }, { recordId: 'ann' });
  directory.apply(ann);
  looks = 0;
  changed = [];
  done = new Set();
  records = new Map();
  change = () => undefined;
  decided();
});

describe('a run of a mass action', () => {
  it('changes every record and counts all but the rejected ones', async () => {
    change = (id) => {
      if (id === 'b') throw new Refusal('forbidden', 'access.denied', 'No.');
    };
    expect(resultOf(await run())).toEqual({ count: 2, ids: ['a', 'c'] });
    expect(statusOf(state)).toEqual({
      status: 'Success',
      processedCount: 2,
      recordCount: 3,
      skipped: [{ reason: 'access.denied', count: 1, ids: ['b'] }],
    });
  });

  it('retries while the log is unavailable and looks up the first outcome', async () => {
    let attempts = 0;
    change = (id) => {
      if (id !== 'b') return;
      attempts += 1;
      if (attempts === 1) throw new Unavailable('away');
      throw new Refusal('not_found', 'record.not_found', 'Gone.');
    };
    done.add(massActionKey('m', 'b'));
    expect(resultOf(await run())).toEqual({ count: 3, ids });
  });

  it('counts the records that its predecessor changed and changes only the rest', async () => {
    done.add(massActionKey('m', 'a'));
    const ended = await run({ isTakenOver: true });
    expect(resultOf(ended)).toEqual({ count: 3, ids });
    expect(changed).toEqual(['b', 'c']);
  });

  it('neither changes records nor ends the action after its lease expires', async () => {
    now += 60_000;
    expect((await run()).values['status']).toBe('Running');
    expect(changed).toEqual([]);
  });

  it('does not end an action that another runner has taken over', async () => {
    change = () => {
      now += 60_000;
      takeStep({ kind: 'take', runner: 'second' }, state);
    };
    await run();
    expect(state.values).toMatchObject({ status: 'Running', runner: 'second' });
  });

  it('ends as failed after an unexpected error', async () => {
    change = (id) => {
      if (id === 'c') throw new TypeError('a defect');
    };
    await expect(run()).rejects.toThrow('a defect');
    expect(state.values).toMatchObject({ status: 'Failed', processedCount: 2, skippedIds: ['c'] });
  });

  it('stops soon after an unexpected error and counts the changed records', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `r${index}`);
    decided({ ids: many });
    change = (id) => {
      if (id === 'r40') throw new TypeError('a defect');
    };
    await expect(run()).rejects.toThrow('a defect');
    expect(changed.length).toBeLessThan(100);
    const { status, processedCount } = state.values;
    expect({ status, processedCount }).toEqual({
      status: 'Failed',
      processedCount: changed.length,
    });
    const whenEnded = changed.length;
    await nextTurn();
    expect(changed).toHaveLength(whenEnded);
  });

  it('checks each record for stream access before it changes the subscription', async () => {
    decided({ action: 'follow' });
    const lead = { entityType: 'Lead', version: 1, deleted: false, values: {} };
    for (const id of ['a', 'c']) records.set(id, { ...lead, id });
    expect(resultOf(await run())).toEqual({ count: 2, ids: ['a', 'c'] });
    expect(changed).toEqual(['a.ann.Lead', 'c.ann.Lead']);
  });

  it('fails if the entity type no longer exists', async () => {
    const gone = { ...state, values: { ...state.values, entityType: 'Nothing' } };
    expect((await run({ state: gone })).values).toMatchObject({
      status: 'Failed',
      reason: 'entity.unknown',
    });
    expect(changed).toEqual([]);
  });
});

describe('a mass action that has to stop', () => {
  const many = Array.from({ length: 500 }, (_, index) => `r${index}`);
  const whenAt = (id: string, work: () => unknown) => {
    change = (one) => (one === id ? work() : undefined);
  };
  const withRole = (role: AttributeValues) => {
    directory.apply(aCreation('Role', role, { recordId: 'role' }));
    alter({ type: 'api', rolesIds: ['role'] });
  };
  const mayDelete = { data: { Lead: { read: 'all', delete: 'all' } } };

  it.each<[string, AttributeValues, () => void]>([
    ['user.inactive', {}, () => alter({ isActive: false })],
    ['user.inactive', {}, () => directory.apply(aDeletionAfter(ann))],
    ['access.denied', mayDelete, () => alter({ rolesIds: [] })],
    [
      'mass_action.denied',
      { data: { Lead: { read: 'all', edit: 'all' } }, massUpdatePermission: 'yes' },
      () => directory.apply(roleWithout('massUpdatePermission')),
    ],
  ])('stops with %s soon after its user loses the permission', async (reason, role, lose) => {
    const action = 'massUpdatePermission' in role ? 'update' : 'delete';
    decided({ ids: many, action, data: { values: {} } });
    if (Object.keys(role).length > 0) withRole(role);
    whenAt('r40', lose);
    const ended = await run();
    const { status, processedCount } = ended.values;
    expect({ status, reason: ended.values['reason'] }).toEqual({ status: 'Stopped', reason });
    expect(changed.length).toBeLessThan(110);
    expect(processedCount).toBe(changed.length);
    expect(resultOf(ended)).toMatchObject({ count: changed.length, status, reason });
  });

  it('continues as long as its user keeps the permission', async () => {
    decided({ ids: many });
    withRole(mayDelete);
    whenAt('r40', () => alter({ lastName: 'Other' }));
    expect(resultOf(await run())).toEqual({ count: 500, ids: many });
  });

  it('stops if its user is deactivated before the last records are decided', async () => {
    change = () => {
      alter({ isActive: false });
      throw userInactive();
    };
    const ended = await run();
    expect(ended.values).toMatchObject({ status: 'Stopped', reason: 'user.inactive' });
    expect(resultOf(ended)).toMatchObject({ count: 0, ids: [] });
  });

  it('counts an earlier attempt whose outcome is unknown', async () => {
    let attempts = 0;
    whenAt('b', () => {
      attempts += 1;
      if (attempts > 1) return;
      alter({ isActive: false });
      throw new Unavailable('away');
    });
    done.add(massActionKey('m', 'b'));
    const ended = await run();
    expect(ended.values['status']).toBe('Stopped');
    expect(resultOf(ended).ids).toContain('b');
    expect(attempts).toBe(1);
  });

  it('counts the records that a predecessor changed but changes none itself', async () => {
    done.add(massActionKey('m', 'a'));
    alter({ isActive: false });
    const ended = await run({ isTakenOver: true });
    expect(resultOf(ended)).toMatchObject({ count: 1, ids: ['a'], status: 'Stopped' });
    expect(changed).toEqual([]);
  });

  it('ends as cancelled soon after its cancellation and counts the changed records', async () => {
    decided({ ids: many });
    let looksBefore: number | undefined;
    change = async (id) => {
      if (id === 'r40') {
        takeStep({ kind: 'cancel', cancelledById: 'bob' }, state);
        looksBefore = looks;
      }
      // Otherwise the run would end before the next check for cancellation.
      if (looksBefore !== undefined)
        await eventually(() => expect(looks).toBeGreaterThan(looksBefore ?? 0));
    };
    const ended = await run();
    expect(ended.values).toMatchObject({ status: 'Cancelled', cancelledById: 'bob' });
    expect(changed.length).toBeLessThan(110);
    expect(resultOf(ended)).toMatchObject({ count: changed.length, status: 'Cancelled' });
  });

  it('is not continued by a second runner', async () => {
    takeStep({ kind: 'cancel', cancelledById: 'ann' }, state);
    takeStep({ kind: 'cancel', cancelledById: 'bob' }, state);
    done.add(massActionKey('m', 'c'));
    const ended = await run({ isTakenOver: true, state });
    expect(ended.values).toMatchObject({ status: 'Cancelled', cancelledById: 'ann' });
    expect(resultOf(ended)).toMatchObject({ count: 1, ids: ['c'] });
    expect(changed).toEqual([]);
  });
});

function roleWithout(permission: string): RecordEvent {
  const role = aCreation('Role', {}, { recordId: 'role' });
  const changes = [{ attribute: permission, before: 'yes', after: 'no' }];
  return { ...anUpdateAfter(role, {}), changes };
}
