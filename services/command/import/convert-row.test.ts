import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { systemAdministrator } from '../owner/command.ts';
import { convertRow, splitName } from './convert-row.ts';
import { readImportRequest } from './import-plan.ts';
import { createLocalTimes } from './read-local-time.ts';

const directory = createDirectory(stockDefinitions);

function convert(
  entityType: string,
  request: object,
  cells: readonly string[],
  use: Parameters<typeof convertRow>[1] = 'create',
) {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(entityType);
  const body = { attachmentId: 'file', ...request };
  const read = readImportRequest(body, { actor: systemAdministrator, model });
  const plan = { ...read, sha256: '', size: 0, rowCount: 0 };
  const findLinked = (_: string, name: string) => (name === 'Acme' ? 'a1' : undefined);
  return convertRow(cells, use, { model, plan, times: createLocalTimes(plan), findLinked });
}

describe('a converted row', () => {
  it('has the default values of a new record, unless the row has others', () => {
    const request = {
      attributeList: ['name', 'type'],
      defaultValues: { type: 'Customer', industry: 'Retail' },
    };
    expect(convert('Account', request, ['A', ''])).toEqual({
      name: 'A',
      type: 'Customer',
      industry: 'Retail',
    });
    expect(convert('Account', request, ['A', 'Partner'])).toMatchObject({ type: 'Partner' });
  });

  it('empties fields in an update only', () => {
    const request = {
      attributeList: ['name', 'website', 'assignedUserName'],
      defaultValues: { type: 'Customer' },
    };
    expect(convert('Account', request, ['A', ' '], 'update')).toEqual({
      name: 'A',
      website: null,
      assignedUserId: null,
    });
    expect(convert('Account', request, ['A'], 'complete')).toEqual({ name: 'A' });
    expect(convert('Account', request, ['A'])).toEqual({ name: 'A', type: 'Customer' });
  });

  it('has the id of the linked record, and rejects unknown names', () => {
    const request = { attributeList: ['lastName', 'accountName'] };
    expect(convert('Contact', request, ['Doe', 'Acme'])).toEqual({
      lastName: 'Doe',
      accountId: 'a1',
    });
    expect(() => convert('Contact', request, ['Doe', 'Other'])).toThrow(
      "no record has the name 'Other'",
    );
  });

  it('cuts a long text before a character that would not fit as a whole', () => {
    const request = { attributeList: ['name'] };
    const { name } = convert('Account', request, [`${'a'.repeat(248)}\u{1f600}`]);
    expect(name).toBe('a'.repeat(248));
  });

  it('has further addresses and numbers after the first one', () => {
    const attributeList = [
      'emailAddress',
      'emailAddress2',
      'phoneNumberMobile',
      'phoneNumberOffice',
    ];
    expect(convert('Contact', { attributeList }, ['a@x.example', 'b@x.example', '1', '2'])).toEqual(
      {
        emailAddressData: [
          { emailAddress: 'a@x.example', primary: true },
          { emailAddress: 'b@x.example', primary: false },
        ],
        phoneNumberData: [
          { phoneNumber: '1', type: 'Mobile', primary: true },
          { phoneNumber: '2', type: 'Office', primary: false },
        ],
      },
    );
    expect(convert('Contact', { attributeList }, ['a@x.example'])).toEqual({
      emailAddress: 'a@x.example',
    });
  });

  it('has numbers without separators, and keeps texts that are not numbers', () => {
    const request = { attributeList: ['amount', 'probability'], decimalMark: ',', currency: 'EUR' };
    expect(convert('Opportunity', request, ["1'234.567,5", '40'])).toEqual({
      amount: 1234567.5,
      amountCurrency: 'EUR',
      probability: 40,
    });
    expect(convert('Opportunity', request, ['', 'much'])).toEqual({ probability: 'much' });
  });

  it('has dates and times in UTC, and keeps texts of another format', () => {
    const request = {
      attributeList: ['dateStart', 'dateEnd'],
      dateFormat: 'MM/DD/YYYY',
      timeFormat: 'hh:mm a',
      timezone: 'America/New_York',
    };
    expect(convert('Meeting', request, ['1/31/2030 02:30 pm', '31.1.2030'])).toEqual({
      dateStart: '2030-01-31 19:30:00',
      dateEnd: '31.1.2030',
    });
  });
});

describe('the parts of a name', () => {
  it.each([
    ['f l', 'Ann Mary Lee', { firstName: 'Ann Mary', lastName: 'Lee' }],
    ['l f', 'Lee Ann Mary', { firstName: 'Ann Mary', lastName: 'Lee' }],
    ['l, f', 'Lee, Ann', { firstName: 'Ann', lastName: 'Lee' }],
    ['f m l', 'Ann Mary Lee', { firstName: 'Ann', middleName: 'Mary', lastName: 'Lee' }],
    ['l f m', 'Lee Ann Mary', { firstName: 'Ann', middleName: 'Mary', lastName: 'Lee' }],
    ['f l', 'Lee', { firstName: null, lastName: 'Lee' }],
    ['', 'Ann Lee', { firstName: null, lastName: 'Ann Lee' }],
  ])('follow the format %s', (format, text, parts) => {
    expect(splitName('name', text, format)).toEqual(parts);
  });
});
