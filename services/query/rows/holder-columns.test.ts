import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import { holderColumns } from './holder-columns.ts';

const directory = createDirectory(stockDefinitions);

function columnsFor(entityType: string, role: AttributeValues) {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`unknown entity type ${entityType}`);
  const user = { id: 'x', name: 'x', userName: 'x', type: 'api', teamIds: [] } as const;
  const actor = buildActor(user, [
    { entityType: 'Role', id: 'r', version: 1, deleted: false, values: role },
  ]);
  const view = viewFor(actor, model, directory.entity);
  return holderColumns({ actor, model, view }, directory.entity);
}

describe('the columns for the record that holds a file', () => {
  it('include the picture of a user only for readers of that user', () => {
    const own = columnsFor('Attachment', { data: { Document: { read: 'own' } } });
    expect(own.get('relatedId')).toMatch(
      /= 'User' and r[.]field = 'avatar'.*h[.]"?id"? = [$]1::text/,
    );
    const all = columnsFor('Attachment', { data: { User: { read: 'all' } } });
    expect(all.get('relatedId')).toMatch(/"avatar_id" = r[.]id and true/);
  });

  it('are read only from records that the reader may read', () => {
    const columns = columnsFor('Attachment', { data: { Document: { read: 'own' } } });
    expect(columns.get('relatedId')).toContain(`= 'Document' and r.field = 'file'`);
    expect(columns.get('relatedId')).toContain('h."assigned_user_id" = $1::text');
    expect(columns.get('relatedName')).toContain('then h.name end');
    expect(columns.get('parentId')).not.toContain(`'Case'`);
  });

  it('omit fields that the reader may not see', () => {
    const columns = columnsFor('Attachment', {
      data: { Document: { read: 'all' } },
      fieldData: { Document: { file: { read: 'no', edit: 'no' } } },
    });
    expect(columns.get('relatedId')).not.toContain(`'Document'`);
  });

  it('have no name if the reader may not see names of the type', () => {
    const columns = columnsFor('Attachment', {
      data: { Document: { read: 'all' } },
      fieldData: { Document: { name: { read: 'no', edit: 'no' } } },
    });
    expect(columns.get('relatedId')).toContain(`'Document'`);
    expect(columns.get('relatedName')).not.toContain(`'Document'`);
  });

  it('exist only for attachments', () => {
    expect(columnsFor('Account', { data: { Account: { read: 'all' } } }).size).toBe(0);
  });
});
