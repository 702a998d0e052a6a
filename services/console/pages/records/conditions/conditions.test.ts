import { describe, expect, it } from 'vitest';
import { readConditions, toConditions, toDraft } from './conditions.ts';

const conditions = [
  { type: 'contains' as const, attribute: 'name', value: 'acme' },
  {
    type: 'or' as const,
    value: [
      { type: 'isTrue' as const, attribute: 'doNotCall' },
      { type: 'and' as const, value: [{ type: 'today' as const, attribute: 'createdAt' }] },
    ],
  },
];

describe('filter conditions', () => {
  it('are unchanged by parsing and by conversion to drafts and back', () => {
    expect(readConditions(conditions)).toEqual(conditions);
    expect(toConditions(conditions.map(toDraft), () => undefined)).toEqual(conditions);
  });

  it.each([
    [[]],
    ['x'],
    [[{ attribute: 'name' }]],
    [[{ type: 'equals' }]],
    [[{ type: 'and', value: 'x' }]],
    [[{ type: 'or', value: [{ type: 1 }] }]],
    [Array.from({ length: 201 }, () => ({ type: 'isTrue', attribute: 'x' }))],
  ])('are undefined if the address is malformed: %j', (raw) => {
    expect(readConditions(raw)).toBeUndefined();
  });

  it('omit incomplete drafts and include the time zone for date-time fields', () => {
    const drafts = [
      { kind: 'condition' as const, attribute: '', type: 'equals', value: 1 },
      { kind: 'group' as const, type: 'or' as const, parts: [] },
      { kind: 'condition' as const, attribute: 'createdAt', type: 'today', value: undefined },
    ];
    expect(toConditions(drafts, () => 'Europe/Berlin')).toEqual([
      { type: 'today', attribute: 'createdAt', dateTime: true, timeZone: 'Europe/Berlin' },
    ]);
  });
});
