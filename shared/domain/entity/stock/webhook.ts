import type { EntityDefinition } from '../entity-definition.ts';

export const webhookDefinition: EntityDefinition = {
  name: 'Webhook',
  log: 'directory',
  isObject: false,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    event: { type: 'varchar', required: true, maxLength: 100, readOnlyAfterCreate: true },
    entityType: { type: 'varchar', maxLength: 100, readOnly: true },
    type: { type: 'enum', options: ['create', 'update', 'fieldUpdate', 'delete'], readOnly: true },
    field: { type: 'varchar', maxLength: 100, readOnly: true },
    url: { type: 'url', required: true, maxLength: 512, protocolRequired: true },
    isActive: { type: 'bool', default: true },
    user: { type: 'link', entityType: 'User', adminOnly: true },
    secretKey: { type: 'secret', readOnly: true },
    skipOwn: { type: 'bool' },
    description: { type: 'text' },
  },
};
