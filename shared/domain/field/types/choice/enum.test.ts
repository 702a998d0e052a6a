import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { nameOptions, readOption } from './enum.ts';

const rule = { field: 'status', attribute: 'status', options: new Set(['', 'New', 'Dead', '7']) };

describe('readOption', () => {
  it.each([
    ['New', 'New'],
    ['', null],
    [null, null],
    [7, '7'],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readOption(rule, given, report))).toEqual({ kept });
  });

  it.each([['new'], [' New'], ['Old'], [true], [8], [['New']], [{ New: 1 }], ['__proto__']])(
    'rejects %j',
    (given) => {
      expect(outcomeOf((report) => readOption(rule, given, report))).toEqual({
        refused: ['valid'],
      });
    },
  );

  it('accepts an option from an earlier version', () => {
    const grown = { ...rule, former: new Set(['Old']) };
    expect(outcomeOf((report) => readOption(grown, 'Old', report))).toEqual({ kept: 'Old' });
    expect(outcomeOf((report) => readOption(grown, 'Older', report))).toEqual({
      refused: ['valid'],
    });
  });

  it('lists the options in the message, or their number if there are many', () => {
    expect(nameOptions(rule.options)).toBe('must be one of: New, Dead, 7');
    const many = new Set(Array.from({ length: 90 }, (_, index) => `Option ${index}`));
    expect(nameOptions(many)).toBe('must be one of its 90 options');
  });
});
