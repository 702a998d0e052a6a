import { expect, it } from 'vitest';
import { buildActor } from '../../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../../shared/domain/entity/stock/stock-definitions.ts';
import { requireOpenFields } from './read-values.ts';

const model = createDirectory(stockDefinitions).entity('Task') as EntityModel;
const fieldData = { Task: { priority: { read: 'yes', edit: 'no' } } };
const values = { data: { Task: { read: 'all', edit: 'all' } }, fieldData };
const actor = buildActor({ id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] }, [
  { entityType: 'Role', id: 'r', version: 1, deleted: false, values },
]);

function check(body: object, refusesClosed: boolean): void {
  requireOpenFields({ actor, model, body: { ...body }, conditions: { refusesClosed } });
}

it('rejects read-only and removed fields if a command requires all of its fields', () => {
  const refused = expect.objectContaining({ code: 'access.denied' });
  expect(() => check({ name: 'Call', priority: 'High' }, true)).toThrow(refused);
  expect(() => check({ removedField: 'x' }, true)).toThrow(refused);
  expect(() => check({ name: 'Call', dateStartDate: '2030-01-01' }, true)).not.toThrow();
  expect(() => check({ priority: 'High', removedField: 'x' }, false)).not.toThrow();
});
