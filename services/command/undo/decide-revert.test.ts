import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { Change, RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { encodeEvent } from '../../../shared/events/log-entry-codec.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
  aRestorationAfter,
} from '../../../test/support/builders/record-event-builder.ts';
import { noLinks } from '../records/input/resolve-links.ts';
import { decideRevert, keptFields, type Reverting } from './decide-revert.ts';
import { type Effect, readEffect } from './read-effect.ts';

const directory = createDirectory(stockDefinitions);
const model = modelOf('Contact');
const ann = buildActor({ id: 'ann', name: 'Ann', userName: 'ann', type: 'admin', teamIds: [] }, []);
const created = aCreation('Contact', { lastName: 'Byron', title: 'Lady' });

function modelOf(entityType: string) {
  const found = directory.entity(entityType);
  if (found === undefined) throw new Error(`no ${entityType}`);
  return found;
}

function change(previous: RecordEvent, values: Readonly<Record<string, AttributeValue>>) {
  const { values: before } = stateAfter([created, previous]);
  const changes = Object.entries(values).map(
    ([attribute, after]): Change => ({ attribute, before: before[attribute] ?? null, after }),
  );
  return { ...anUpdateAfter(previous, {}), changes };
}

function stateAfter(events: readonly RecordEvent[]): RecordState {
  const state = events.reduce<RecordState | undefined>(
    (before, event) => evolve(before, event),
    undefined,
  );
  if (state === undefined) throw new Error('no event');
  return state;
}

/** Returns the effect of a change that consists of these events, without later events. */
async function findEffect(...events: readonly RecordEvent[]): Promise<Effect | undefined> {
  const pages = [events];
  const query = async () => ({
    rows: (pages.shift() ?? []).map((one) => ({
      event: encodeEvent({ ...one, token: 't', sequence: 1 }),
      version: one.version,
      $bytes: '100',
    })),
  });
  const record = { entityType: 'Contact', id: created.recordId };
  const steps = { changeId: '', authorId: 'ann', at: 0, steps: ['ann/mass-1-'], first: [] };
  return readEffect({ query } as unknown as Pool, record, steps);
}

async function effectOf(...events: readonly RecordEvent[]): Promise<Effect> {
  const effect = await findEffect(...events);
  if (effect === undefined) throw new Error('no effect');
  return effect;
}

function decide(state: RecordState, effect: Effect, parts: Partial<Reverting> = {}) {
  const { id } = state;
  const reverting: Reverting = {
    actor: ann,
    model,
    id,
    effect,
    links: noLinks,
    broken: new Map(),
    teamsOf: () => [],
    currencies: new Map(),
    isFollowUp: false,
  };
  return decideRevert(state, { ...reverting, ...parts }, 0);
}

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'none';
}

describe('the effect of several events', () => {
  it('has the first earlier value and the last new value of each attribute', async () => {
    const one = change(created, { title: 'Countess' });
    const other = change(one, { title: 'Dr', description: 'x' });
    expect(await effectOf(one, other)).toMatchObject({
      kind: 'updated',
      changes: [
        { attribute: 'title', before: 'Lady', after: 'Dr' },
        { attribute: 'description', before: null, after: 'x' },
      ],
    });
  });

  it('is the creation or deletion of a record, or nothing if both happened', async () => {
    const deleted = aDeletionAfter(created);
    const restored = aRestorationAfter(deleted);
    expect((await effectOf(created, change(created, { title: 'Dr' }))).kind).toBe('appeared');
    expect((await effectOf(change(created, { title: 'Dr' }), deleted)).kind).toBe('vanished');
    expect((await effectOf(restored)).kind).toBe('appeared');
    expect(await findEffect(created, deleted)).toBeUndefined();
    expect(await findEffect()).toBeUndefined();
  });
});

describe('an undo', () => {
  const updated = change(created, { title: 'Dr', description: 'x' });

  it('restores the values that the change wrote', async () => {
    expect(decide(stateAfter([created, updated]), await effectOf(updated))?.changes).toEqual([
      { attribute: 'title', before: 'Dr', after: 'Lady' },
      { attribute: 'description', before: 'x', after: null },
    ]);
  });

  it('keeps a value that has changed since', async () => {
    const effect = await effectOf(updated);
    const later = change(updated, { title: 'Prof' });
    const state = stateAfter([created, updated, later]);
    const decision = decide(state, effect);
    expect(decision?.changes.map(({ attribute }) => attribute)).toEqual(['description']);
    const after = evolve(state, { ...anUpdateAfter(later, {}), changes: decision?.changes ?? [] });
    expect(keptFields(model, effect, after)).toEqual(['title']);
  });

  it('is rejected if every value has changed since or nothing is left to undo', async () => {
    const effect = await effectOf(updated);
    const later = change(updated, { title: 'Prof', description: 'y' });
    const state = stateAfter([created, updated, later]);
    expect(refusalOf(() => decide(state, effect))).toBe('undo.changed_since');
    expect(refusalOf(() => decide(stateAfter([created]), effect))).toBe('undo.done');
  });

  it('treats omitted empty values as equal to empty values', async () => {
    const emptied = change(created, { doNotCall: true, teamsIds: ['t'] });
    const state = stateAfter([created, emptied]);
    const values = { ...state.values, doNotCall: false, teamsIds: [] };
    const effect = await effectOf(emptied);
    expect(refusalOf(() => decide({ ...state, values }, effect))).toBe('undo.done');
  });

  it('keeps a new record if its latest change is missing from the history', async () => {
    const effect = await effectOf(created);
    const state = stateAfter([created, updated]);
    expect(refusalOf(() => decide(state, effect))).toBe('undo.changed_since');
  });

  it('derives the full name from the restored and the current parts', async () => {
    const renamed = change(created, { firstName: 'Augusta', name: 'Augusta Byron' });
    const married = change(renamed, { lastName: 'Lovelace', name: 'Augusta Lovelace' });
    const decision = decide(stateAfter([created, renamed, married]), await effectOf(renamed));
    expect(decision?.changes).toEqual([
      { attribute: 'firstName', before: 'Augusta', after: null },
      { attribute: 'name', before: 'Augusta Lovelace', after: 'Lovelace' },
    ]);
  });

  it('derives the duration from the restored end and the current start', () => {
    const meeting = modelOf('Meeting');
    const changes = [
      { attribute: 'dateEnd', before: '2030-01-01 11:00:00', after: '2030-01-01 12:00:00' },
      { attribute: 'dateEndDate', before: null, after: null },
      { attribute: 'duration', before: 3600, after: 7200 },
    ];
    const values = {
      dateStart: '2030-01-01 10:30:00',
      dateEnd: '2030-01-01 12:00:00',
      duration: 5400,
    };
    const effect: Effect = { kind: 'updated', changes, version: 2, seen: 2, replaced: [] };
    const state = { entityType: 'Meeting', id: 'm', version: 3, deleted: false, values };
    const changed = decide(state, effect, { model: meeting })?.changes;
    expect(changed?.filter(({ before, after }) => before !== after)).toEqual([
      { attribute: 'dateEnd', before: values.dateEnd, after: '2030-01-01 11:00:00' },
      { attribute: 'duration', before: 5400, after: 1800 },
    ]);
  });

  it('does not restore the plan of a merge', async () => {
    const merged = change(created, { title: 'Dr', mergePlan: '{}', mergePlannedAt: 'now' });
    const decision = decide(stateAfter([created, merged]), await effectOf(merged));
    expect(decision?.changes.map(({ attribute }) => attribute)).toEqual(['title']);
  });

  it('deletes a new record only if later events left it unchanged', async () => {
    const effect = await effectOf(created);
    const there = change(created, { title: 'Dr' });
    const back = change(there, { title: 'Lady' });
    const replaced = [{ attribute: 'title', before: 'Lady' }];
    expect(decide(stateAfter([created]), effect)?.type).toBe('Deleted');
    const state = stateAfter([created, there, back]);
    const changed = { ...effect, seen: state.version, replaced };
    expect(decide(state, changed)?.type).toBe('Deleted');
    const unread = { ...effect, seen: state.version, replaced: undefined };
    expect(refusalOf(() => decide(state, unread))).toBe('undo.changed_since');
    const other = stateAfter([created, there]);
    const different = { ...effect, seen: other.version, replaced };
    expect(refusalOf(() => decide(other, different))).toBe('undo.changed_since');
    const gone = stateAfter([created, aDeletionAfter(created)]);
    expect(refusalOf(() => decide(gone, effect))).toBe('undo.done');
  });

  it('restores a record only if this change deleted it', async () => {
    const deleted = aDeletionAfter(created);
    const restored = aRestorationAfter(deleted);
    const again = aDeletionAfter(restored);
    const effect = await effectOf(deleted);
    expect(decide(stateAfter([created, deleted]), effect)?.type).toBe('Updated');
    const live = stateAfter([created, deleted, restored]);
    expect(refusalOf(() => decide(live, effect))).toBe('undo.done');
    const gone = stateAfter([created, deleted, restored, again]);
    expect(refusalOf(() => decide(gone, effect))).toBe('undo.changed_since');
  });

  it('requires edit access except for references that a merge changed', async () => {
    const state = stateAfter([created, updated]);
    const actor = buildActor(
      { id: 'bob', name: 'Bob', userName: 'bob', type: 'regular', teamIds: [] },
      [],
    );
    const effect = await effectOf(updated);
    expect(refusalOf(() => decide(state, effect, { actor }))).toBe('access.denied');
    const decision = decide(state, effect, { actor, isFollowUp: true });
    expect(decision?.changes).toHaveLength(2);
  });
});
