import { expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { createMetadata } from './metadata.ts';

const admin = buildActor({ id: 'a', name: 'a', userName: 'a', type: 'admin', teamIds: [] }, []);

it('lists the named filters of entity types', () => {
  const { clientDefs } = createMetadata(createDirectory(stockDefinitions))(admin);
  expect(clientDefs).toMatchObject({
    Task: { filterList: ['actual', 'completed'] },
    Opportunity: { filterList: ['open', 'won', 'lost'] },
  });
  expect(clientDefs).not.toHaveProperty('Team');
});
