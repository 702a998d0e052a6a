import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { duplicateAttributes } from './duplicate-routes.ts';

const { entity } = createDirectory(stockDefinitions);
const record = {
  id: 'c1',
  name: 'No show',
  number: 7,
  status: 'Closed',
  description: 'Text',
  accountId: 'a',
  accountName: 'A',
  createdAt: '2030-01-01 10:00:00',
  createdById: 'u',
};

function attributesFor(type: 'admin' | 'api', fieldData: object = {}) {
  const model = entity('Case');
  if (model === undefined) throw new Error('no Case');
  const values = { data: { Case: { read: 'all', edit: 'all' } }, fieldData } as never;
  const actor = buildActor({ id: 'u', name: 'U', userName: 'u', type, teamIds: [] }, [
    { entityType: 'Role', id: 'r', version: 1, deleted: false, values },
  ]);
  return duplicateAttributes({ actor, model, record });
}

describe('a copy of a record', () => {
  it('contains all values that a new record may have', () => {
    expect(attributesFor('admin')).toEqual({
      name: 'No show',
      status: 'Closed',
      description: 'Text',
      accountId: 'a',
      accountName: 'A',
    });
  });

  it('omits values that the role may not set', () => {
    const fieldData = { Case: { description: { read: 'yes', edit: 'no' } } };
    expect(attributesFor('api', fieldData)).not.toHaveProperty('description');
    expect(attributesFor('api')).toHaveProperty('description', 'Text');
  });

  it('omits e-mail addresses and phone numbers', () => {
    const model = entity('Contact');
    if (model === undefined) throw new Error('no Contact');
    const actor = buildActor({ id: 'u', name: 'U', userName: 'u', type: 'admin', teamIds: [] }, []);
    const contact = { lastName: 'Ray', name: 'Ray', emailAddress: 'a@x.co', phoneNumberData: [] };
    expect(duplicateAttributes({ actor, model, record: contact })).toMatchObject({
      lastName: 'Ray',
    });
    expect(duplicateAttributes({ actor, model, record: contact })).not.toHaveProperty(
      'emailAddress',
    );
    expect(duplicateAttributes({ actor, model, record: contact })).not.toHaveProperty(
      'phoneNumberData',
    );
  });
});
