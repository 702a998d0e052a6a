import { newestAvroSchema } from '../../../shared/events/schema-versions.ts';
import { mapParts, type Part } from '../../../shared/http/describe/part.ts';
import { text } from '../../../shared/http/describe/schemas.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { version } from '../../../shared/runtime/version.ts';
import { partOf, webhookEvents, webhookHeaders } from './webhook-messages.ts';

/** Returns the Kafka topics and the webhooks as an AsyncAPI document. */
export function buildAsyncApi(topics: TopicNames): Part {
  const ofTopics = channelsOf(topics);
  return {
    asyncapi: '3.1.0',
    info: { title: 'Annals', version, description, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: '{broker}',
        protocol: 'kafka',
        description: 'For Annals only: direct writes bypass all validation.',
        variables: { broker: { description: 'One of KAFKA_BROKERS.', default: '127.0.0.1:9092' } },
      },
      receivers: {
        host: '{receiver}',
        protocol: 'https',
        description: 'The receivers of webhooks.',
        variables: {
          receiver: { description: 'Host in the URL of a webhook.', default: 'example.org' },
        },
      },
    },
    channels: { ...ofTopics, webhooks: webhookChannel },
    operations: {
      ...Object.fromEntries(Object.keys(ofTopics).map((name) => [`send-${name}`, sending(name)])),
      'send-webhooks': {
        ...sending('webhooks'),
        summary: 'One POST request with events of one webhook.',
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: { messages: { ...logMessages(), webhookRequest } },
  };
}

const description = `Kafka is the source of truth: the tables of the read model are built from these topics and can be
rebuilt. Values are in Avro's single-object encoding: \`C3 01\`, the CRC-64-AVRO fingerprint of the schema in
little-endian, the body. Every schema version ever written stays readable; this document has the current ones.
`;

function sending(channel: string): Part {
  return { action: 'send', channel: { $ref: `#/channels/${channel}` } };
}

type Channel = readonly [topic: keyof TopicNames, about: string, ...messages: readonly string[]];

/** The purpose of each topic, and its messages. */
const channels: readonly Channel[] = [
  ['installation', 'Identifies the log and its installation.', 'note'],
  [
    'directory',
    'Users, roles, teams, webhooks, definitions of entity types: everything that has to be loaded before records.',
    'fence',
    'recordEvent',
  ],
  ['records', 'Every change of every record.', 'fence', 'recordEvent'],
  ['files', 'The bytes of files, in chunks.', 'fileChunk'],
  ['webhookBatches', 'Events of a webhook that are sent in one request.', 'webhookBatch'],
  [
    'webhookOverflow',
    'Batches of webhooks with a large backlog, which wait until it shrinks.',
    'webhookBatch',
  ],
  ['webhookRetries', 'Batches whose next attempt is due later.', 'webhookBatch'],
  ['webhookAttempts', 'The outcome of each attempt.', 'webhookAttempt'],
  ['webhookDeadLetters', 'Batches whose delivery was abandoned.', 'deadLetter'],
  [
    'webhookSequences',
    'The last sequence number of each webhook that numbers its events, and the numbers of batches whose outcome is not recorded; compacted.',
    'note',
  ],
  ['webhookReplays', 'The progress of each replay; compacted.', 'note'],
];

/** Returns channels by topic name without the prefix. */
function channelsOf(topics: TopicNames): Readonly<Record<string, Part>> {
  const prefix = topics.records.slice(0, -'records'.length);
  return Object.fromEntries(
    channels.flatMap(([name, about, ...messages]) =>
      [topics[name]]
        .flat()
        .map((topic) => [topic.slice(prefix.length), channel(topic, about, messages)]),
    ),
  );
}

function channel(topic: string, about: string, messages: readonly string[]): Part {
  return {
    address: topic,
    description: about,
    servers: [{ $ref: '#/servers/kafka' }],
    messages: referTo(messages),
    bindings: { kafka: { topic, bindingVersion: '0.5.0' } },
  };
}

function referTo(messages: readonly string[]): Part {
  return Object.fromEntries(
    messages.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

const traceparent = { ...text, description: 'W3C Trace Context of the change.' };

function logMessages(): Readonly<Record<string, Part>> {
  const batch = newestAvroSchema('webhook-batch');
  return {
    note: {
      summary: 'Internal state of Annals in a private format.',
      contentType: 'application/json',
      payload: {},
    },
    fence: message(newestAvroSchema('fence'), {
      about: 'Marks a writer as the new owner of a partition.',
    }),
    recordEvent: message(newestAvroSchema('record-event'), {
      about: 'One change of one record.',
      key: 'The id of the record.',
      headers: { traceparent },
    }),
    fileChunk: message(newestAvroSchema('file-chunk'), {
      about: 'A chunk of the bytes of a file.',
      key: 'The SHA-256 of the whole file.',
    }),
    webhookBatch: message(batch, {
      about: 'Events of one webhook.',
      key: 'The id of the webhook.',
      headers: { traceparent },
    }),
    webhookAttempt: message(newestAvroSchema('webhook-attempt'), {
      about: 'The outcome of one attempt.',
      key: 'The id of the webhook.',
      headers: {
        sequences: {
          ...text,
          description:
            'The numbers of the events, separated by commas; empty for an event without one.',
        },
      },
    }),
    deadLetter: message(batch, {
      about: 'A batch whose delivery was abandoned, or the bytes of an unreadable message.',
      key: 'The id of the webhook.',
      headers: { traceparent, reason: { ...text, description: 'The reason for the dead letter.' } },
    }),
  };
}

function message(
  schema: Part,
  {
    about,
    key,
    headers,
  }: { readonly about: string; readonly key?: string; readonly headers?: Part },
): Part {
  return {
    summary: about,
    contentType: 'application/vnd.apache.avro',
    payload: { schemaFormat: 'application/vnd.apache.avro;version=1.9.0', schema },
    headers: headers && { type: 'object', properties: headers },
    bindings: key && { kafka: { key: { ...text, description: key }, bindingVersion: '0.5.0' } },
  };
}

const eventNames = Object.keys(webhookEvents).map(
  (event) => `\`{Entity}.${event}${partOf(event)}\``,
);

const webhookChannel: Part = {
  // The address is the webhook's URL, which is unknown here.
  address: null,
  description: `Requests to receivers, for the events ${eventNames.join(', ')}. The attributes of records are those of the OpenAPI document, \`/api/v1/OpenApi\`.`,
  servers: [{ $ref: '#/servers/receivers' }],
  messages: referTo(['webhookRequest']),
};

const alwaysSent = Object.entries(webhookHeaders).filter(([, { isAlways }]) => isAlways);

const webhookRequest: Part = {
  summary: 'Events of one webhook, oldest first.',
  contentType: 'application/json',
  headers: {
    type: 'object',
    required: alwaysSent.map(([name]) => name),
    properties: mapParts(webhookHeaders, ({ description: about, example }) => ({
      ...text,
      description: about,
      examples: [example],
    })),
  },
  payload: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      description: Object.entries(webhookEvents)
        .map(([event, about]) => `\`${event}\`: ${about}`)
        .join(' '),
    },
  },
  examples: [
    {
      name: 'update',
      payload: [
        {
          id: '6920300f5a1b2c3d4',
          name: 'Acme Ltd',
          modifiedAt: '2030-01-31 10:00:00',
          modifiedById: 'api-key',
          modifiedByName: 'api-key',
        },
      ],
    },
  ],
};
