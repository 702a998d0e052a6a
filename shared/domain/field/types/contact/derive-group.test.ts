import { describe, expect, it } from 'vitest';
import { buildEntityModel } from '../../../entity/model/entity-model.ts';
import { accountDefinition } from '../../../entity/stock/account.ts';
import { deriveValues } from '../../../input/derive-values.ts';
import type { AttributeValues } from '../../../value/attribute-values.ts';
import type { GroupEntry } from './read-group-entries.ts';

const account = buildEntityModel(accountDefinition);

describe('an e-mail group', () => {
  it('gets one primary entry when only the address is given', () => {
    expect(afterCreate({ emailAddress: 'Ada@x.org' })).toEqual(
      group('Ada@x.org', [email('Ada@x.org', { primary: true })]),
    );
  });

  it('applies flags to the primary entry', () => {
    const given = { emailAddress: 'a@x.org', emailAddressIsOptedOut: true };
    expect(afterCreate(given)).toEqual({
      ...group('a@x.org', [email('a@x.org', { primary: true, optOut: true })]),
      emailAddressIsOptedOut: true,
    });
  });

  it('ignores flags while it has no address', () => {
    expect(afterCreate({ emailAddressIsOptedOut: true, emailAddressIsInvalid: true })).toEqual(
      group(null, []),
    );
  });

  it('uses the list when list, address and flags are all given', () => {
    const given = {
      emailAddress: 'z@x.org',
      emailAddressIsInvalid: true,
      emailAddressData: [email('a@x.org'), email('b@x.org', { primary: true, optOut: true })],
    };
    expect(afterCreate(given)).toEqual({
      ...group('b@x.org', given.emailAddressData),
      emailAddressIsOptedOut: true,
    });
  });

  it('makes the first entry in a list primary if none is marked', () => {
    expect(afterCreate({ emailAddressData: [email('a@x.org'), email('b@x.org')] })).toEqual(
      group('a@x.org', [email('a@x.org', { primary: true }), email('b@x.org')]),
    );
  });

  it('is unchanged by an update to other fields', () => {
    expect(afterUpdate(current(), { website: null })).toEqual({ website: null });
  });

  it('replaces the primary address and keeps the others when only an address is given', () => {
    expect(afterUpdate(current(), { emailAddress: 'new@x.org' })).toEqual(
      group('new@x.org', [
        email('new@x.org', { primary: true }),
        email('b@x.org', { optOut: true }),
      ]),
    );
  });

  it('changes only the spelling when the primary address differs in case', () => {
    expect(afterUpdate(current(), { emailAddress: 'A@X.org' })).toEqual({
      ...group('A@X.org', [
        { ...email('A@X.org', { primary: true, invalid: true }), lower: 'a@x.org' },
        email('b@x.org', { optOut: true }),
      ]),
      emailAddressIsInvalid: true,
    });
  });

  it('makes an existing address primary and keeps its flags', () => {
    expect(afterUpdate(current(), { emailAddress: 'b@x.org' })).toEqual({
      ...group('b@x.org', [email('b@x.org', { primary: true, optOut: true })]),
      emailAddressIsOptedOut: true,
    });
  });

  it('promotes the next address when the primary one is removed', () => {
    const second = {
      ...group('b@x.org', [email('b@x.org', { primary: true, optOut: true })]),
      emailAddressIsOptedOut: true,
    };
    expect(afterUpdate(current(), { emailAddress: null })).toEqual(second);
    expect(afterUpdate(second, { emailAddress: null })).toEqual(group(null, []));
  });

  it('updates the primary entry when only a flag is given', () => {
    expect(afterUpdate(current(), { emailAddressIsInvalid: false })).toEqual(
      group('a@x.org', [email('a@x.org', { primary: true }), email('b@x.org', { optOut: true })]),
    );
  });

  it('is cleared by an empty list', () => {
    expect(afterUpdate(current(), { emailAddressData: [] })).toEqual(group(null, []));
  });
});

describe('a phone group', () => {
  it("assigns the field's first type to a number without a type", () => {
    expect(deriveValues(account, {}, { phoneNumber: '+15550100' }).values).toEqual({
      phoneNumber: '+15550100',
      phoneNumberData: [
        { phoneNumber: '+15550100', type: 'Office', primary: true, optOut: false, invalid: false },
      ],
      phoneNumberIsOptedOut: false,
      phoneNumberIsInvalid: false,
    });
  });
});

/** Primary and invalid `a@x.org`, followed by opted-out `b@x.org`. */
function current(): AttributeValues {
  return {
    ...group('a@x.org', [
      email('a@x.org', { primary: true, invalid: true }),
      email('b@x.org', { optOut: true }),
    ]),
    emailAddressIsInvalid: true,
  };
}

function afterCreate(given: AttributeValues): AttributeValues {
  const { values } = deriveValues(account, null, given);
  return Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith('email')));
}

function afterUpdate(before: AttributeValues, given: AttributeValues): AttributeValues {
  return deriveValues(account, before, given).values;
}

function group(address: string | null, entries: readonly GroupEntry[]): AttributeValues {
  return {
    emailAddress: address,
    emailAddressData: entries,
    emailAddressIsOptedOut: false,
    emailAddressIsInvalid: false,
  };
}

function email(emailAddress: string, marks: Partial<GroupEntry> = {}): GroupEntry {
  return {
    emailAddress,
    lower: emailAddress.toLowerCase(),
    primary: false,
    optOut: false,
    invalid: false,
    ...marks,
  };
}
