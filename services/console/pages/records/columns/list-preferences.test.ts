import { describe, expect, it } from 'vitest';
import { readListPreferences } from './list-preferences.ts';

const fields = { name: { type: 'varchar' }, city: { type: 'varchar' } };

describe('the preferences of a list', () => {
  it('keep columns, widths and the sort order', () => {
    const stored = { columns: ['city', 'name'], widths: { city: 120 }, sort: '-city' };
    expect(readListPreferences({ fields }, stored)).toEqual(stored);
  });

  it('omit repeated columns and fields that no longer exist', () => {
    const stored = { columns: ['gone', 'name', 'name'], widths: { gone: 1 }, sort: 'gone' };
    expect(readListPreferences({ fields }, stored)).toEqual({ columns: ['name'], widths: {} });
    expect(readListPreferences({ fields }, { columns: ['gone'] })).toEqual({ widths: {} });
  });

  it.each([undefined, null, 'text', [], { columns: 'name', widths: 5, sort: {} }])(
    'are empty if %j is stored',
    (stored) => {
      expect(readListPreferences({ fields }, stored)).toEqual({ widths: {} });
    },
  );

  it('limit widths to between 48 and 800 pixels', () => {
    const widths = { name: -5, city: 99_999 };
    expect(readListPreferences({ fields }, { widths }).widths).toEqual({ name: 48, city: 800 });
  });
});
