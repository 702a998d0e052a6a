import { describe, expect, it } from 'vitest';
import { buildEntityModel } from '../entity/model/entity-model.ts';
import { taskDefinition } from '../entity/stock/activities.ts';
import { contactDefinition } from '../entity/stock/contact.ts';
import { leadDefinition } from '../entity/stock/lead.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { withFollowedRules } from './followed-rules.ts';

const now = Date.UTC(2030, 0, 31, 10);
const contact = buildEntityModel(contactDefinition);
const write = (current: AttributeValues, after: AttributeValues, model = contact) =>
  withFollowedRules(model, { current, after, now });

const atAcme = {
  title: 'CEO',
  accountId: 'acme',
  accountName: 'Acme',
  accountsIds: ['acme'],
  accountsNames: { acme: 'Acme' },
  accountsColumns: { acme: { role: 'CEO', isInactive: false } },
};

describe('the columns of a link', () => {
  it('start empty for each linked record', () => {
    expect(write({}, { accountsIds: ['acme', 'ajax'], accountsColumns: {} })).toMatchObject({
      accountsColumns: {
        acme: { role: null, isInactive: false },
        ajax: { role: null, isInactive: false },
      },
    });
  });

  it('can be changed individually, but only for linked records', () => {
    const after = { accountsColumns: { acme: { isInactive: true }, ghost: { role: 'x' } } };
    expect(write(atAcme, after)).toMatchObject({
      accountsColumns: { acme: { role: 'CEO', isInactive: true } },
    });
    expect(write(atAcme, after)['accountsColumns']).not.toHaveProperty('ghost');
  });

  it.each([{}, null, { ghost: { role: 'x' } }])('are empty without linked records: %j', (given) => {
    const after = write({}, { accountsIds: [], accountsColumns: given });
    expect(after['accountsColumns']).toEqual({});
  });

  it('are removed with the link', () => {
    expect(write(atAcme, { accountsIds: [] })).toMatchObject({
      accountsColumns: {},
      accountId: null,
    });
  });

  it('are omitted from a write that does not change the link', () => {
    expect(write(atAcme, { doNotCall: true })).toEqual({ doNotCall: true });
  });
});

describe('the title of a contact', () => {
  it('equals the role at the account', () => {
    expect(write(atAcme, { title: 'CTO' })).toMatchObject({
      title: 'CTO',
      accountsColumns: { acme: { role: 'CTO', isInactive: false } },
    });
    expect(write(atAcme, { accountsColumns: { acme: { role: 'CFO' } } })).toMatchObject({
      title: 'CFO',
    });
    expect(write(atAcme, { title: null })).toMatchObject({
      title: null,
      accountsColumns: { acme: { role: null } },
    });
  });

  it('is copied to a new account without a role', () => {
    const moved = write(atAcme, { accountId: 'ajax', accountName: 'Ajax' });
    expect(moved).toMatchObject({
      title: 'CEO',
      accountsColumns: { acme: { role: 'CEO' }, ajax: { role: 'CEO' } },
    });
  });

  it('is taken from the column if a new contact has no title', () => {
    const created = {
      title: null,
      accountId: 'acme',
      accountsIds: ['acme'],
      accountsColumns: { acme: { role: 'CEO' } },
    };
    expect(write({}, created)).toMatchObject({ title: 'CEO' });
  });

  it('can be set freely without an account', () => {
    expect(write({}, { title: 'CEO' })).toEqual({ title: 'CEO' });
  });
});

describe('a stamp', () => {
  const lead = buildEntityModel(leadDefinition);
  const task = buildEntityModel(taskDefinition);

  it('is set only when the attribute changes to the value', () => {
    expect(write({ status: 'New' }, { status: 'Converted' }, lead)).toMatchObject({
      convertedAt: '2030-01-31 10:00:00',
    });
    expect(write({ status: 'Converted' }, { status: 'Converted' }, lead)).not.toHaveProperty(
      'convertedAt',
    );
    expect(write({ status: 'Converted' }, { lastName: 'x' }, lead)).toEqual({ lastName: 'x' });
  });

  it('is kept when the value changes unless the definition clears it', () => {
    expect(write({ status: 'Converted' }, { status: 'New' }, lead)).toEqual({ status: 'New' });
    const done = { status: 'Completed', dateCompleted: '2030-01-01 00:00:00' };
    expect(write(done, { status: 'Started' }, task)).toEqual({
      status: 'Started',
      dateCompleted: null,
    });
  });
});
