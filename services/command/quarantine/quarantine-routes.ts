import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { internalCommandDefaults } from '../owner/command.ts';
import { discardCommand, notQuarantined } from './quarantine-commands.ts';

interface Place {
  readonly topic: string;
  readonly partition: string;
  readonly offset: string;
}

type PlaceRequest = FastifyRequest<{ Params: Place }>;

/**
 * The record of a rejected entry, and the reason for the rejection. Entries that do not quarantine a record have no
 * record.
 */
interface Rejected {
  readonly entityType: string | null;
  readonly recordId: string | null;
  readonly retry: boolean;
  readonly reason: string;
}

const RETRIED_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 200;

/** Registers routes for retrying and discarding entries that the tables rejected. */
export function registerQuarantineRoutes(server: FastifyInstance, context: CommandContext): void {
  const { pool } = context;

  server.post<{ Params: Place }>(
    '/api/v1/System/rejectedEntries/:topic/:partition/:offset/retry',
    retrying,
    async (request) => {
      await readAdministrator(context, request);
      const { entityType, recordId } = await requireRejected(pool, request.params);
      if (recordId === null) throw notQuarantined();
      await orUnavailable(
        pool.query(
          `update ${liveSchema}.rejected_entries set retry = true where record_id = $1 and entity_type = $2`,
          [recordId, entityType],
        ),
      );
      return untilRetried(pool, request.params);
    },
  );

  server.post<{ Params: Place }>(
    '/api/v1/System/rejectedEntries/:topic/:partition/:offset/discard',
    discarding,
    async (request, reply) => {
      const actor = await readAdministrator(context, request);
      const { entityType, recordId } = await requireRejected(pool, request.params);
      if (recordId === null) {
        await acknowledge(pool, request.params);
        return sendJson(reply, true);
      }
      const model = context.directory.entity(String(entityType));
      if (model === undefined) throw noSuchEntry();
      const deadline = context.now() + context.timeoutMs;
      const command = {
        ...internalCommandDefaults,
        actor,
        model,
        id: recordId,
        body: {},
        deadline,
      };
      const answer = await context.sender.send(discardCommand, { ...command, untilReadable: true });
      return sendJson(setWriteHeaders(reply, [answer]), true);
    },
  );
}

async function readAdministrator(context: CommandContext, request: PlaceRequest): Promise<Actor> {
  const actor = await context.authenticate(request);
  requireAdministrator(actor);
  return actor;
}

async function requireRejected(pool: Pool, place: Place): Promise<Rejected> {
  const found = await findRejected(pool, place);
  if (found === undefined) throw noSuchEntry();
  return found;
}

async function findRejected(
  pool: Pool,
  { topic, partition, offset }: Place,
): Promise<Rejected | undefined> {
  if (!/^\d{1,9}$/.test(partition) || !/^\d{1,18}$/.test(offset)) return undefined;
  const { rows } = await orUnavailable(
    pool.query<Rejected>(
      `select entity_type as "entityType", record_id as "recordId", retry, reason
       from ${liveSchema}.rejected_entries where topic = $1 and partition = $2 and log_offset = $3`,
      [topic, partition, offset],
    ),
  );
  return rows[0];
}

/**
 * Waits for the projector's retry. Resolves with the result of the retry, or with the current reason for the quarantine
 * if the projector does not retry in time.
 */
async function untilRetried(pool: Pool, place: Place) {
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const found = await findRejected(pool, place);
    if (found === undefined) return { released: true, reason: null };
    if (!found.retry || waited >= RETRIED_WITHIN_MS) {
      return { released: false, reason: found.reason };
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Acknowledges an entry without a record. It stays listed, but is no longer reported as a fault. */
async function acknowledge(pool: Pool, { topic, partition, offset }: Place): Promise<void> {
  await orUnavailable(
    pool.query(
      `update ${liveSchema}.rejected_entries set acknowledged = true
       where topic = $1 and partition = $2 and log_offset = $3`,
      [topic, partition, offset],
    ),
  );
}

function noSuchEntry(): Refusal {
  return new Refusal('not_found', 'entry.not_found', 'No rejected entry exists at this position.');
}

const parameters = ['topic', 'partition', 'offset'].map((name) => ({
  name,
  in: 'path' as const,
  required: true,
  schema: { type: 'string' },
}));

const retrying = describeRoute({
  id: 'System_retryRejectedEntry',
  tag: 'System',
  summary: 'Retry a quarantined record',
  description:
    'The projector stores the state after all events of the record again. For administrators. Returns whether the record was released, or why the tables still reject it.',
  parameters,
  answer: {
    type: 'object',
    required: ['released', 'reason'],
    properties: { released: { type: 'boolean' }, reason: { type: ['string', 'null'] } },
  },
  errors: [...written, 'access.admin_only', 'entry.not_found', 'entry.not_quarantined'],
});

const discarding = describeRoute({
  id: 'System_discardRejectedEntry',
  tag: 'System',
  summary: 'Discard a rejected entry',
  description:
    'A new event resets a quarantined record to its state before the first rejected entry. A record that was never stored is deleted. An entry that quarantines no record is acknowledged: it stays listed and is no longer reported as a fault. For administrators.',
  parameters,
  answer: { const: true },
  headers: ['X-Consistency-Token'],
  errors: [
    ...written,
    'access.admin_only',
    'entry.changed',
    'entry.not_found',
    'entry.not_quarantined',
  ],
});
