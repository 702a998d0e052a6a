import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { readPhoneEntries, readPhoneNumber } from './phone.ts';

const number = {
  field: 'phoneNumber',
  attribute: 'phoneNumber',
  trim: true,
  maxLength: 36,
  pattern: null,
  patternMeaning: 'must match the pattern of the field',
};
const group = {
  field: 'phoneNumber',
  attribute: 'phoneNumberData',
  addressKey: 'phoneNumber',
  maxCount: 10,
  types: ['Mobile', 'Office'],
} as const;

function entriesOf(given: unknown) {
  return outcomeOf((report) => readPhoneEntries({ ...group, address: number }, given, report));
}

describe('readPhoneNumber', () => {
  it.each([
    ['+15550100', '+15550100'],
    ['+1 (555) 010-0022', '+15550100022'],
    [' +49 30 / 12 34.56 ', '+4930123456'],
    ['030 123456', '030 123456'],
    [5_550_100, '5550100'],
    ['', null],
    [null, null],
  ])('reads %j as %j', (given, kept) => {
    expect(outcomeOf((report) => readPhoneNumber(number, given, report))).toEqual({ kept });
  });

  it.each([
    ['abc', 'valid'],
    ['+', 'valid'],
    ['+12', 'valid'],
    ['+0123456789', 'valid'],
    ['+1234567890123456', 'valid'],
    ['++15550100', 'valid'],
    ['12', 'valid'],
    ['+1555010O', 'valid'],
    ['()', 'valid'],
    [true, 'valid'],
    [{}, 'valid'],
    ['1'.repeat(37), 'maxLength'],
  ])('rejects %j with %s', (given, type) => {
    expect(outcomeOf((report) => readPhoneNumber(number, given, report))).toEqual({
      refused: [type],
    });
  });
});

describe('readPhoneEntries', () => {
  it('uses the first type by default and merges equal numbers', () => {
    expect(
      entriesOf([
        { phoneNumber: '+1 555 0100' },
        { phoneNumber: '+15550100', type: 'Office', optOut: true },
        { phoneNumber: '030 123456', type: 'Office', primary: true },
      ]),
    ).toEqual({
      kept: [
        { phoneNumber: '+15550100', type: 'Mobile', primary: false, optOut: true, invalid: false },
        { phoneNumber: '030 123456', type: 'Office', primary: true, optOut: false, invalid: false },
      ],
    });
  });

  it.each([
    [[{ phoneNumber: '+15550100', type: 'Fax' }], 'valid'],
    [[{ phoneNumber: '+15550100', type: ['Office'] }], 'valid'],
    [[{ type: 'Office' }], 'valid'],
    ['+15550100', 'valid'],
    [Array.from({ length: 11 }, (_, index) => ({ phoneNumber: `+1555010${index}` })), 'maxCount'],
  ])('rejects %j with %s', (given, type) => {
    expect(entriesOf(given)).toEqual({ refused: [type] });
  });
});
