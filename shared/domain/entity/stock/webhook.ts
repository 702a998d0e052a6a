import { defaultFormat, payloadFormats } from '../../webhook/format/payload-formats.ts';
import { webhookEventTypes } from '../../webhook/record/webhook.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';

export const webhookDefinition: EntityDefinition = {
  name: 'Webhook',
  log: 'directory',
  isObject: false,
  access: 'switch',
  ownedBy: { owner: 'userId' },
  opensSecrets: {
    attributes: ['secretKey', 'sealedHeaders'],
    standardForms: { secretKey: 'standardSecret' },
    objects: { sealedHeaders: 'headers' },
  },
  // Only present for webhooks on a field or link.
  omittedIfNull: ['field'],
  sentProperties: {
    headers: {
      type: 'object',
      maxProperties: 10,
      additionalProperties: { type: 'string' },
      description: 'Added to every request.',
    },
  },
  answeredProperties: { standardSecret: { type: 'string', readOnly: true } },
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    event: { type: 'varchar', required: true, maxLength: 100, readOnlyAfterCreate: true },
    entityType: { type: 'varchar', maxLength: 100, readOnly: true },
    type: { type: 'enum', options: webhookEventTypes, readOnly: true },
    field: { type: 'varchar', maxLength: 100, readOnly: true },
    url: { type: 'url', required: true, maxLength: 512, protocolRequired: true },
    isActive: { type: 'bool', default: true },
    // Set when Annals deactivates the webhook.
    inactiveReason: { type: 'varchar', maxLength: 255, readOnly: true },
    user: { type: 'link', entityType: 'User', adminOnly: true },
    secretKey: { type: 'secret', readOnly: true },
    skipOwn: { type: 'bool' },
    payloadFormat: {
      type: 'enum',
      options: payloadFormats.map(({ name }) => name),
      default: defaultFormat.name,
    },
    batchSize: { type: 'int', min: 1, max: 50 },
    ordered: { type: 'bool' },
    xSignatureFormat: { type: 'enum', options: ['base64', 'prefixed'], default: 'base64' },
    // The subscriber's headers as one encrypted JSON text, because values may be credentials (custom-headers.ts).
    sealedHeaders: { type: 'secret', readOnly: true },
    // The secret before the last rotation, and the time until which it also signs requests.
    previousSecretKey: { type: 'secret', readOnly: true },
    previousSecretUntil: { type: 'datetime', readOnly: true },
    description: { type: 'text' },
  },
  knownFields: { secretKey: { type: 'varchar', maxLength: 100, readOnly: true } },
};
