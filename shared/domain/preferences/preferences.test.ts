import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { Refusal } from '../errors.ts';
import { evolve } from '../record/evolve.ts';
import type { RecordState } from '../record/record-state.ts';
import {
  decidePreferences,
  MAX_PREFERENCES_BYTES,
  preferenceOf,
  preferencesType,
  readPreferences,
  resetAll,
  toPreferences,
} from './preferences.ts';

const user = evolve(
  undefined,
  aCreation('User', { userName: 'ann', name: 'Ann Lee' }, { recordId: 'u1' }),
);

/** Applies requests one after the other, like the owner of the directory. */
function stateAfter(
  ...bodies: readonly Readonly<Record<string, unknown>>[]
): RecordState | undefined {
  let state: RecordState | undefined;
  for (const body of bodies) {
    const decision = decidePreferences(state, readPreferences(body));
    if (decision === undefined) continue;
    const version = (state?.version ?? 0) + 1;
    state = evolve(state, {
      ...aCreation(preferencesType, {}, { recordId: 'u1', version }),
      ...decision,
    });
  }
  return state;
}

function refusalOf(act: () => unknown): Refusal | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
}

describe('preferences', () => {
  it('have defaults until a user changes them', () => {
    expect(toPreferences(user, undefined)).toMatchObject({
      id: 'u1',
      name: 'Ann Lee',
      isPortalUser: false,
      language: '',
      weekStart: -1,
      notificationGrouping: true,
      dashboardLayout: [{ layout: [{ name: 'Activities' }, { name: 'Stream' }] }],
    });
  });

  it('keep omitted values and drop values that are set to null', () => {
    const columns = { Account: ['name', 'website'] };
    const state = stateAfter(
      { language: 'de_DE', annalsColumns: columns, theme: 'Dark' },
      { weekStart: 1, theme: null },
    );
    expect(toPreferences(user, state)).toMatchObject({
      language: 'de_DE',
      weekStart: 1,
      annalsColumns: columns,
      theme: '',
    });
    expect(preferenceOf(state, 'language')).toBe('de_DE');
    expect(preferenceOf(state, 'unknown')).toBeNull();
  });

  it('are stored as events that contain only the changes', () => {
    const state = stateAfter({ language: 'de_DE', annalsColumns: { Account: ['name'] } });
    expect(decidePreferences(state, { language: 'en_GB' })?.changes).toEqual([
      { attribute: 'language', before: 'de_DE', after: 'en_GB' },
    ]);
    expect(decidePreferences(state, { language: 'de_DE' })).toBeUndefined();
  });

  it('can be reset together', () => {
    const state = stateAfter({ language: 'de_DE', annalsColumns: {} });
    const reset = decidePreferences(state, resetAll(state));
    expect(reset?.changes.map(({ attribute }) => attribute)).toEqual(['language', 'annalsColumns']);
    expect(decidePreferences(undefined, resetAll(undefined))).toMatchObject({ changes: [] });
  });

  it('ignore names that only responses contain and the mark of a restoration', () => {
    const ignored = { id: 'x', name: 'x', isPortalUser: true, deleted: false, createdAt: 'x' };
    expect(readPreferences({ ...ignored, teamsIds: ['t'], language: 'de' })).toEqual({
      language: 'de',
    });
  });

  it.each([
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', 5],
    ['dateFormat', 'tomorrow'],
    ['timeFormat', 'HH'],
    ['language', 'German'],
    ['defaultCurrency', 'euro'],
    ['weekStart', 7],
    ['weekStart', '1'],
    ['decimalMark', ',,'],
    ['notificationGrouping', 'yes'],
    ['autoFollowEntityTypeList', [1]],
    ['dashletsOptions', []],
    ['constructor', 'x'],
    ['__proto__', {}],
    ['toString', 'x'],
    ['', 1],
    ['a.b', 1],
    ['x'.repeat(101), 1],
    ['mine', 'a\0b'],
    ['mine', { x: '\ud800' }],
  ])('reject %s = %j with a message that names the preference', (name, value) => {
    const body = Object.fromEntries([[name, value]]);
    const refused = refusalOf(() => readPreferences(body));
    expect(refused).toMatchObject({ kind: 'invalid', code: 'record.invalid' });
    expect(refused?.message).toContain(name.slice(0, 20));
  });

  it.each([
    ['timeZone', 'Europe/Berlin'],
    ['dateFormat', 'DD.MM.YYYY'],
    ['dateFormat', 'DD. MM. YYYY'],
    ['timeFormat', 'hh:mm a'],
    ['language', 'de_DE'],
    ['language', ''],
    ['defaultCurrency', 'EUR'],
    ['presetFilters', { Account: [{ name: 'x', data: null }] }],
  ])('accept %s = %j', (name, value) => {
    expect(readPreferences({ [name]: value })).toEqual({ [name]: value });
  });

  it('are limited in total size and can still be reduced at the limit', () => {
    const half = 'x'.repeat(MAX_PREFERENCES_BYTES / 2 - 50);
    const state = stateAfter({ one: half, other: half });
    expect(refusalOf(() => decidePreferences(state, { third: 'x'.repeat(200) }))).toMatchObject({
      kind: 'too_large',
      code: 'preferences.too_large',
    });
    // Umlauts have two bytes.
    const umlauts = { one: 'ü'.repeat(MAX_PREFERENCES_BYTES / 2) };
    expect(refusalOf(() => decidePreferences(undefined, umlauts))?.code).toBe(
      'preferences.too_large',
    );
    expect(decidePreferences(state, { one: null, third: 'x' })?.changes).toHaveLength(2);
  });
});

it('preferences neither change the directory revision nor keep reset names', () => {
  const directory = createDirectory(stockDefinitions);
  const before = [directory.revision(), directory.definedAtSeconds()];
  directory.apply(aCreation(preferencesType, { language: 'de', mine: 1 }, { recordId: 'u1' }));
  directory.apply({
    ...aCreation(preferencesType, {}, { recordId: 'u1', version: 2 }),
    type: 'Updated',
    changes: [{ attribute: 'mine', before: 1, after: null }],
  });
  expect([directory.revision(), directory.definedAtSeconds()]).toEqual(before);
  const state = directory.record(preferencesType, 'u1');
  expect(state).toMatchObject({ version: 2, values: { language: 'de' } });
  expect(state?.values).not.toHaveProperty('mine');
});
