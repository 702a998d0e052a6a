import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { capitalized } from '../../../shared/domain/field/attribute.ts';
import { exampleId } from '../../../shared/domain/field/types/link/linked-name.ts';
import type { PayloadFormat } from '../../../shared/domain/webhook/format/payload-format.ts';
import { payloadFormats } from '../../../shared/domain/webhook/format/payload-formats.ts';
import { jsonContent, type Part, refer } from '../../../shared/http/describe/part.ts';
import { closedObjectOf, objectOf, text } from '../../../shared/http/describe/schemas.ts';

interface WebhookHeader {
  readonly description: string;
  readonly example: string;
  /** True if every request has the header. */
  readonly isAlways: boolean;
}

/** The headers of requests to a webhook's receiver. */
export const webhookHeaders: Readonly<Record<string, WebhookHeader>> = {
  'X-Signature': always(
    'Base64 of the HMAC-SHA256 of the body under the `secretKey` of the webhook.',
    'gT6kZ3J5cGxhY2Vob2xkZXItb2YtMzItYnl0ZXMhIQ==',
  ),
  Signature: always(
    'Base64 of the id of the webhook, a colon, and the same HMAC as hexadecimal text.',
    'NjkyMDMwMGY1YTFiMmMzZDQ6ODFmZg==',
  ),
  'webhook-id': always('Id of the batch, which is the same on every attempt.', 'b-01jd2c9x'),
  'webhook-timestamp': always('The start of this attempt, in seconds since 1970.', '1893553445'),
  'webhook-signature': always(
    'Standard Webhooks 1.0: `v1,` and base64 of the HMAC of `id.timestamp.body`.',
    'v1,gT6kZ3J5cGxhY2Vob2xkZXItb2YtMzItYnl0ZXMhIQ==',
  ),
  'X-Webhook-Id': always('Id of the webhook.', exampleId),
  'X-Webhook-Event': always('Its event.', 'Account.update'),
  'X-Webhook-Attempt': always('The number of the attempt, starting with 1.', '1'),
  'User-Agent': always('`Annals-Webhooks/` and the version.', 'Annals-Webhooks/1'),
  traceparent: {
    description: 'W3C Trace Context of the change that opened the batch.',
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    isAlways: false,
  },
};

function always(description: string, example: string): WebhookHeader {
  return { description, example, isAlways: true };
}

/** The kinds of events, with a description of their data. */
export const webhookEvents = {
  create: 'A record was created. The data has the attributes that the receiver may read.',
  update:
    'A record was changed. The data has its id, the changed attributes, the time and the user.',
  fieldUpdate:
    'A field was changed. The data has the id of the record, all attributes of the field, the time and the user.',
  delete: 'A record was deleted. The data has its id.',
  relate: 'Records were linked. The data has the link and the ids of both sides.',
  unrelate: 'Records were unlinked. The data has the link and the ids of both sides.',
} as const;

/** Returns the `webhooks` section: the requests that Annals sends, by event. */
export function webhookRequests(models: readonly EntityModel[]): Readonly<Record<string, Part>> {
  const watched = models.filter(({ definition }) => definition.isObject);
  return Object.fromEntries(
    watched.flatMap((model) =>
      Object.entries(webhookEvents).map(([event, description]) => [
        `${model.name}.${event}`,
        { post: webhookRequest(model, event, description) },
      ]),
    ),
  );
}

function webhookRequest({ name }: EntityModel, event: string, description: string): Part {
  return {
    operationId: `on${name}_${event}`,
    tags: [name],
    summary: `${name}.${event}${partOf(event)}`,
    description,
    security: [],
    parameters: Object.keys(webhookHeaders).map((header) => refer('parameters', toKey(header))),
    requestBody: {
      required: true,
      content: jsonContent({
        anyOf: [
          recordItems(name, event),
          ...Object.keys(formatSchemas).map((schema) => refer('schemas', schema)),
        ],
      }),
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      410: { description: 'The webhook is removed immediately.' },
      default: {
        description: 'The request is retried later, with four attempts in total by default.',
      },
    },
  };
}

/** Returns the placeholder that ends the event's name: `.<field>`, `.<link>` or nothing. */
export function partOf(event: string): string {
  if (event === 'fieldUpdate') return '.<field>';
  return event === 'relate' || event === 'unrelate' ? '.<link>' : '';
}

function recordItems(name: string, event: string): Part {
  const items: Readonly<Record<string, string>> = {
    delete: 'deletedRecord',
    relate: 'relations',
    unrelate: 'relations',
  };
  return { type: 'array', minItems: 1, items: refer('schemas', items[event] ?? name) };
}

function toKey(header: string): string {
  return `webhook_${header}`;
}

/** The headers as parameters, separate from the parameters of requests to the API. */
export const webhookParameters: Readonly<Record<string, Part>> = Object.fromEntries(
  Object.entries(webhookHeaders).map(([name, { description, example, isAlways }]) => [
    toKey(name),
    { name, in: 'header', required: isAlways, description, schema: text, example },
  ]),
);

/** Bodies in the formats whose elements contain more than the data, by schema name (for example `webhookEvents`). */
const formatSchemas: Readonly<Record<string, Part>> = Object.fromEntries(
  payloadFormats.flatMap(({ name, itemSchema }: PayloadFormat) => {
    if (itemSchema === undefined) return [];
    const description = `With the option \`payloadFormat: ${name}\`.`;
    const schema = { type: 'array', minItems: 1, description, items: itemSchema };
    return [[`webhook${capitalized(name)}`, schema]];
  }),
);

/** Schemas for payload elements, in addition to the schemas for records. */
export const webhookItemSchemas: Readonly<Record<string, Part>> = {
  deletedRecord: closedObjectOf({ id: text }),
  relations: objectOf({
    link: text,
    foreignType: text,
    relations: { type: 'array', items: objectOf({ id: text, foreignId: text }) },
  }),
  ...formatSchemas,
};
