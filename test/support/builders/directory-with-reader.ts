import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { aCreation } from './record-event-builder.ts';

/**
 * An API user who may read Accounts at this level, and a webhook of that user. Their ids are the names of their types.
 */
export function directoryWithReader(read: 'all' | 'own') {
  const directory = createDirectory(stockDefinitions);
  const records: Readonly<Record<string, AttributeValues>> = {
    Role: { data: { Account: { read } } },
    User: { type: 'api', isActive: true, rolesIds: ['Role'] },
    Webhook: {
      event: 'Account.create',
      entityType: 'Account',
      type: 'create',
      url: 'https://example.org',
      userId: 'User',
      isActive: true,
      payloadFormat: 'events',
    },
  };
  for (const [entityType, values] of Object.entries(records)) {
    directory.apply(aCreation(entityType, { ...values }, { recordId: entityType }));
  }
  return directory;
}
