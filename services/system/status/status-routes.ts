import type { FastifyInstance } from 'fastify';
import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import {
  count,
  flag,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import type { SystemContext } from '../context.ts';
import { readStatus, type Status } from './read-status.ts';

const KEPT_MS = 1_000;

/** `GET System/status`: the progress and the processes of the installation. */
export function registerStatusRoutes(server: FastifyInstance, context: SystemContext): void {
  const status = createShared<Status>(KEPT_MS, () => readStatus(context.observed));

  server.get('/api/v1/System/status', readingStatus, async (request) => {
    await readOperator(context, request);
    return status();
  });
}

const listOf = (items: object) => ({ type: 'array', items });

const partition = objectOf({
  topic: text,
  partition: count,
  end: count,
  projected: count,
  behind: { ...count, description: 'Unprojected entries.' },
  seconds: { type: 'number', description: 'Age of the oldest unprojected entry.' },
  damage: {
    description: 'Why the next entry cannot be read, and the remedy; null if it can.',
    anyOf: [objectOf({ reason: text, remedy: text }), { type: 'null' }],
  },
  owner: nullableText,
  projector: nullableText,
});

const readingStatus = describeSystemRoute({
  id: 'System_status',
  summary: 'Read lags, queues, processes, rejected entries and disks',
  description:
    'The same as `annals status --json`. For administrators; the response may be a second old.',
  answer: objectOf({
    partitions: listOf(partition),
    rebuild: {
      description: 'A rebuild of the read model next to the live one; null without one.',
      anyOf: [
        objectOf({
          isRunning: {
            ...flag,
            description: 'False for an interrupted rebuild, which the next one resumes.',
          },
          taken: { ...count, description: 'The number of log entries that the rebuild has read.' },
          entries: count,
        }),
        { type: 'null' },
      ],
    },
    instances: objectOf({
      apis: listOf(text),
      projectors: listOf(text),
      dispatchers: listOf(text),
    }),
    topics: objectOf({ missing: listOf(text), differing: listOf(text) }),
    queues: listOf(
      objectOf({ stage: text, topic: text, waiting: count, seconds: { type: 'number' } }),
    ),
    jobs: {
      ...listOf(objectOf({ name: text, waiting: count, seconds: { type: 'number' } })),
      description: `The scheduled jobs: ${webhookJobName}.`,
    },
    deadLetters: listOf(objectOf({ webhookId: text, batches: count })),
    rejected: listOf(
      objectOf({ topic: text, partition: count, reason: text, entries: count, lastOffset: count }),
    ),
    disks: listOf(
      objectOf({
        path: text,
        freeBytes: count,
        freeInodes: count,
        floor: objectOf({ bytes: count, inodes: count }),
        isLow: flag,
        isLowSoon: flag,
      }),
    ),
  }),
});
