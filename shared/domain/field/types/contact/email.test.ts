import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../test/support/builders/outcome-of-reading.ts';
import { readEmailAddress, readEmailEntries } from './email.ts';

const address = {
  field: 'emailAddress',
  attribute: 'emailAddress',
  trim: true,
  maxLength: 255,
  pattern: null,
  patternMeaning: 'must match the pattern of the field',
};
const group = {
  field: 'emailAddress',
  attribute: 'emailAddressData',
  addressKey: 'emailAddress',
  maxCount: 3,
} as const;

function entriesOf(given: unknown) {
  return outcomeOf((report) => readEmailEntries({ ...group, address }, given, report));
}

describe('readEmailAddress', () => {
  it.each([
    ['ada@example.com'],
    ['Ada.Lovelace+crm@Mail.Example.co.uk'],
    ["o'brien@example.com"],
    ['j\u00f6rg@m\u00fcller.example'],
    [`${'a'.repeat(64)}@example.com`],
  ])('accepts %j', (given) => {
    expect(outcomeOf((report) => readEmailAddress(address, given, report))).toEqual({
      kept: given,
    });
  });

  it.each([
    ['ada', 'emailAddress'],
    ['ada@', 'emailAddress'],
    ['@example.com', 'emailAddress'],
    ['ada@localhost', 'emailAddress'],
    ['ada@@example.com', 'emailAddress'],
    ['a da@example.com', 'emailAddress'],
    ['.ada@example.com', 'emailAddress'],
    ['ada..l@example.com', 'emailAddress'],
    ['ada@-example.com', 'emailAddress'],
    ['ada@example.com>', 'emailAddress'],
    ['Ada <ada@example.com>', 'emailAddress'],
    ['ada@example.com\r\nBcc: eve@example.com', 'emailAddress'],
    [`${'a'.repeat(65)}@example.com`, 'emailAddress'],
    [`ada@${'example.'.repeat(31)}com`, 'kept'],
    [`ada@${'example.'.repeat(40)}com`, 'maxLength'],
    ['a@b.c\0', 'valid'],
    [true, 'valid'],
    [['ada@example.com'], 'valid'],
  ])('reads case %# (%j) with the result %s', (given, type) => {
    const expected = type === 'kept' ? { kept: given } : { refused: [type] };
    expect(outcomeOf((report) => readEmailAddress(address, given, report))).toEqual(expected);
  });

  it('returns null for blank text', () => {
    expect(outcomeOf((report) => readEmailAddress(address, ' ', report))).toEqual({ kept: null });
  });
});

describe('readEmailEntries', () => {
  it('keeps the spelling, adds the lower-case form and makes the first entry primary', () => {
    expect(entriesOf([{ emailAddress: ' Ada@Example.com ' }, { emailAddress: 'l@x.org' }])).toEqual(
      {
        kept: [
          {
            emailAddress: 'Ada@Example.com',
            lower: 'ada@example.com',
            primary: true,
            optOut: false,
            invalid: false,
          },
          {
            emailAddress: 'l@x.org',
            lower: 'l@x.org',
            primary: false,
            optOut: false,
            invalid: false,
          },
        ],
      },
    );
  });

  it('keeps only the first of several primary entries', () => {
    const given = ['a@x.org', 'b@x.org', 'c@x.org'].map((emailAddress, index) => ({
      emailAddress,
      primary: index > 0,
    }));
    expect(entriesOf(given)).toMatchObject({
      kept: [{ primary: false }, { emailAddress: 'b@x.org', primary: true }, { primary: false }],
    });
  });

  it('merges duplicates and their flags', () => {
    expect(
      entriesOf([
        { emailAddress: 'a@x.org' },
        { emailAddress: 'b@x.org', invalid: 'true' },
        { emailAddress: 'B@x.org', primary: 1, optOut: true },
      ]),
    ).toMatchObject({
      kept: [
        { emailAddress: 'a@x.org', primary: false },
        { emailAddress: 'b@x.org', primary: true, optOut: true, invalid: true },
      ],
    });
  });

  it('ignores unknown keys and a lower-case form from clients', () => {
    const given = JSON.parse(
      '[{"emailAddress":"A@x.org","lower":"z@x.org","id":"1","__proto__":{"x":1}}]',
    );
    expect(entriesOf(given)).toEqual({
      kept: [
        { emailAddress: 'A@x.org', lower: 'a@x.org', primary: true, optOut: false, invalid: false },
      ],
    });
  });

  it('accepts an empty list and null', () => {
    expect(entriesOf([])).toEqual({ kept: [] });
    expect(entriesOf(null)).toEqual({ kept: [] });
  });

  it.each([
    ['a@x.org', 'valid'],
    [['a@x.org'], 'valid'],
    [[null], 'valid'],
    [[[]], 'valid'],
    [[{}], 'emailAddress'],
    [[{ emailAddress: '' }], 'emailAddress'],
    [[{ emailAddress: 'a@x.org' }, { emailAddress: 'nobody' }], 'emailAddress'],
    [[{ emailAddress: { a: 1 } }], 'valid'],
    [[{ emailAddress: `${'a'.repeat(300)}@x.org` }], 'maxLength'],
    [Array.from({ length: 4 }, (_, index) => ({ emailAddress: `${index}@x.org` })), 'maxCount'],
  ])('rejects %j with %s', (given, type) => {
    expect(entriesOf(given)).toEqual({ refused: [type] });
  });
});
