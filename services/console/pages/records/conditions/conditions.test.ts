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

describe('conditions', () => {
  it('come back as they were from an address and from the hands of a person', () => {
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
  ])('of an address that make no sense are none: %j', (raw) => {
    expect(readConditions(raw)).toBeUndefined();
  });

  it('leave out what is not complete, and say where days begin', () => {
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
