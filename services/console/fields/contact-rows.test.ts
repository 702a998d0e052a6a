import { describe, expect, it } from 'vitest';
import { emptyRow, fromRows, toRows, withPrimary } from './contact-rows.ts';

const phones = { name: 'phoneNumber', addressKey: 'phoneNumber', type: 'Mobile' } as const;
const emails = { name: 'emailAddress', addressKey: 'emailAddress', type: '' } as const;

const stored = {
  phoneNumber: '+4930222222',
  phoneNumberData: [
    { phoneNumber: '+4917111111', type: 'Mobile', primary: false, optOut: true, invalid: false },
    { phoneNumber: '+4930222222', type: 'Office', primary: true, optOut: false, invalid: true },
  ],
};

describe('the rows of a field with several addresses', () => {
  it('match the list of the field and are stored unchanged', () => {
    const rows = toRows(stored, phones);
    expect(rows.map(({ address, type, primary }) => [address, type, primary])).toEqual([
      ['+4917111111', 'Mobile', false],
      ['+4930222222', 'Office', true],
    ]);
    expect(fromRows(rows, phones)).toEqual(stored);
  });

  it('contain the single address if the record was loaded without the list', () => {
    expect(toRows({ emailAddress: 'a@example.com' }, emails)).toEqual([
      { address: 'a@example.com', type: '', primary: true, optOut: false, invalid: false },
    ]);
    expect(toRows({ emailAddress: null, emailAddressData: [] }, emails)).toEqual([]);
  });

  it('make the second address primary when the first is cleared', () => {
    const [first, second] = withPrimary(toRows(stored, phones), 0);
    if (first === undefined || second === undefined) throw new Error('two rows expected');
    const values = fromRows([{ ...first, address: ' ' }, second], phones);
    expect(values).toMatchObject({
      phoneNumber: '+4930222222',
      phoneNumberData: [{ phoneNumber: '+4930222222', primary: true }],
    });
  });

  it('are stored as an empty list if they contain no address', () => {
    expect(fromRows([emptyRow('')], emails)).toEqual({ emailAddress: null, emailAddressData: [] });
  });

  it('have no kind for e-mail addresses', () => {
    const values = fromRows([{ ...emptyRow(''), address: 'a@example.com' }], emails);
    expect(values['emailAddressData']).toEqual([
      { emailAddress: 'a@example.com', primary: true, optOut: false, invalid: false },
    ]);
  });

  it('ignore entries that are not objects', () => {
    expect(toRows({ emailAddressData: [null] }, emails)).toMatchObject([{ address: '' }]);
  });
});
