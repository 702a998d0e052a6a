import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { buildActor } from './actor.ts';
import { hideClosed, hidesNothing } from './hide-closed.ts';

const { entity } = createDirectory(stockDefinitions);
const task = entity('Task');
if (task === undefined) throw new Error('no Task');
const parents = ['Account', 'Contact', 'Lead', 'Opportunity', 'Case'];
const all = Object.fromEntries([...parents, 'Task'].map((type) => [type, { read: 'all' }]));

function reader(data: AttributeValues) {
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values: { data } };
  const user = { id: 'u', name: 'u', userName: 'u', type: 'api', teamIds: [] } as const;
  return buildActor(user, [role]);
}

describe('the name of a parent', () => {
  const body = () => ({ parentType: 'Account', parentId: 'a', parentName: 'Acme' });
  const shown = (data: AttributeValues, sent: object) =>
    hideClosed(body(), { actor: reader(data), model: task, sent }, entity)['parentName'];

  it('is shown to users who can read every possible parent', () => {
    expect(shown(all, {})).toBe('Acme');
    expect(hidesNothing(reader(all), task, entity)).toBe(true);
  });

  it('is hidden from users who cannot read every possible parent unless the request sets it', () => {
    const restricted = { ...all, Lead: { read: 'own' } };
    expect(shown(restricted, {})).toBe(null);
    expect(shown(restricted, { parentId: 'a' })).toBe('Acme');
    expect(hidesNothing(reader(restricted), task, entity)).toBe(false);
  });
});
