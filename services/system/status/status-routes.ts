import type { FastifyInstance } from 'fastify';
import { withConnection } from '../../../shared/db/pool.ts';
import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  anything,
  count,
  flag,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import {
  describeSystemRoute,
  readOperator,
  type SystemRouteDeps,
} from '../../../shared/http/system-route.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import { type Examined, examineAll } from '../doctor/examine.ts';
import { listRejected, showRejected } from '../rejected/read-rejected.ts';
import { toPlace } from '../rejected/rejected-place.ts';
import { readStatus, type Status } from './read-status.ts';

const KEPT_MS = 1_000;
const KEPT_FINDINGS_MS = 10_000;

/** The results of the operators' commands, for administrators (docs/reference/system.md). */
export function registerSystemRoutes(server: FastifyInstance, deps: SystemRouteDeps): void {
  const { observed } = deps;
  const status = createShared<Status>(KEPT_MS, () => readStatus(observed));
  const doctor = createShared<Examined>(KEPT_FINDINGS_MS, () => examineAll(observed));

  server.get('/api/v1/System/status', readingStatus, async (request) => {
    await readOperator(deps, request);
    return status();
  });

  server.get('/api/v1/System/doctor', readingFindings, async (request) => {
    await readOperator(deps, request);
    return doctor();
  });

  server.get('/api/v1/System/rejectedEntries', listingRejected, async (request) => {
    await readOperator(deps, request);
    return withConnection(observed.connect, listRejected);
  });

  server.get<{ Params: { readonly topic: string; partition: string; offset: string } }>(
    '/api/v1/System/rejectedEntries/:topic/:partition/:offset',
    readingRejected,
    async (request) => {
      await readOperator(deps, request);
      const { topic, partition, offset } = request.params;
      const place = toPlace(`${topic}/${partition}/${offset}`);
      const found =
        place &&
        (await withConnection(observed.connect, (client) =>
          showRejected(client, observed.topics, place),
        ));
      if (found !== undefined) return found;
      throw new Refusal('not_found', 'entry.not_found', 'No entry at this place was rejected.');
    },
  );
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
          taken: { ...count, description: 'Entries of the log that it has read.' },
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

const finding = objectOf(
  {
    about: text,
    verdict: { enum: ['ok', 'warning', 'fault'] },
    says: text,
    remedy: text,
    follows: { ...text, description: 'The part whose fault explains this one' },
  },
  ['about', 'verdict', 'says'],
);

const readingFindings = describeSystemRoute({
  id: 'System_doctor',
  summary: 'Diagnose problems of the installation and their remedies',
  description:
    'The same as `annals doctor --json`, without the checks of the data directory. For administrators. It is read-only and takes seconds; the response may be ten seconds old.',
  answer: objectOf({ faults: count, warnings: count, findings: listOf(finding) }),
});

const rejectedEntry = {
  id: { ...text, description: '`{topic}/{partition}/{offset}`' },
  topic: text,
  partition: count,
  offset: count,
  reason: text,
  bytes: count,
  entityType: {
    ...nullableText,
    description: 'The type of the record that is quarantined because of the entry.',
  },
  recordId: nullableText,
  acknowledged: { ...flag, description: 'Whether an administrator has discarded it.' },
};

const listingRejected = describeSystemRoute({
  id: 'System_rejectedEntries',
  summary: 'List the rejected entries of the log',
  answer: pageOf(objectOf(rejectedEntry)),
});

const readingRejected = describeSystemRoute({
  id: 'System_rejectedEntry',
  summary: 'Read a rejected entry of the log, without secrets',
  parameters: ['topic', 'partition', 'offset'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  })),
  answer: objectOf(
    {
      ...rejectedEntry,
      kind: { enum: ['event', 'fence', 'unreadable'] },
      event: anything,
      fence: anything,
      text,
      hex: text,
    },
    [...Object.keys(rejectedEntry), 'kind'],
  ),
  errors: ['entry.not_found'],
});
