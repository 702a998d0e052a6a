import { expect, it } from 'vitest';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { systemActor } from '../routing/system-actor.ts';
import { isOutgrown } from './seed-directory.ts';

const seeded = { data: { Account: {}, Task: {} } };

it.each<[string, AttributeValues, boolean, boolean]>([
  ['of a former version', { data: { Account: {} } }, false, true],
  ['grown before', { data: { Account: {} }, modifiedById: systemActor.id }, false, true],
  ['of this version', { data: { Account: {}, Task: {} }, modifiedById: null }, false, false],
  ['changed by somebody', { data: { Account: {} }, modifiedById: 'admin' }, false, false],
  ['removed', { data: { Account: {} } }, true, false],
])('lets the role that it wrote grow with the entity types: %s', (_, values, deleted, grows) => {
  const role = { entityType: 'Role', id: 'r', version: 1, deleted, values };
  expect(isOutgrown(role, seeded)).toBe(grows);
  expect(isOutgrown({ ...role, entityType: 'User' }, seeded)).toBe(false);
});
