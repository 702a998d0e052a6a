import { noContent, operation } from './operation.ts';
import { type Part, refer } from './part.ts';
import { webhookPaths } from './webhook-paths.ts';

/** Actions on records of the described entity types, beyond reading and writing. */
export function actionPaths(
  isDescribed: (entityType: string) => boolean,
): Readonly<Record<string, Part>> {
  return {
    ...(isDescribed('Lead')
      ? {
          '/Lead/action/convert': { post: convert(isDescribed) },
          '/Lead/action/getConvertAttributes': { post: convertAttributes(isDescribed) },
        }
      : {}),
    ...(isDescribed('Webhook')
      ? { '/Webhook/action/processQueue': { post: processQueue }, ...webhookPaths }
      : {}),
  };
}

const targets = ['Account', 'Contact', 'Opportunity'];

function convert(isDescribed: (entityType: string) => boolean): Part {
  const known = targets.filter(isDescribed);
  return operation({
    id: 'Lead_convert',
    tag: 'Lead',
    summary: 'Convert a lead into other records',
    parameters: ['Idempotency-Key', 'If-Match', 'Prefer'],
    body: {
      type: 'object',
      required: ['id', 'records'],
      properties: {
        id: { type: 'string', minLength: 1 },
        records: {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(
            known.map((target) => [target, refer('schemas', `${target}_create`)]),
          ),
        },
        skipDuplicateCheck: { type: 'boolean' },
      },
    },
    answer: refer('schemas', 'Lead'),
    headers: ['ETag', 'Idempotency-Replayed', 'Preference-Applied', 'X-Consistency-Token'],
    errors: 'convert',
    more: noContent,
  });
}

function convertAttributes(isDescribed: (entityType: string) => boolean): Part {
  const known = targets.filter(isDescribed);
  return operation({
    id: 'Lead_getConvertAttributes',
    tag: 'Lead',
    summary: 'Ask what the records of a conversion could begin with',
    body: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', minLength: 1 } },
    },
    answer: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        known.map((target) => [target, { type: 'object', additionalProperties: true }]),
      ),
    },
    errors: 'convertAttributes',
  });
}

const processQueue: Part = operation({
  id: 'Webhook_processQueue',
  tag: 'Webhook',
  summary: 'Send what waits for webhooks now',
  description: 'For administrators.',
  parameters: ['Idempotency-Key', 'Prefer'],
  answer: { const: true },
  headers: ['ETag', 'Idempotency-Replayed', 'Preference-Applied', 'X-Consistency-Token'],
  errors: 'runQueue',
  more: noContent,
});
