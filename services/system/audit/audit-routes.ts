import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AccessDatabase,
  auditSchema,
  hasAccessTables,
  signInMethods,
} from '../../../shared/audit/access-tables.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { Part } from '../../../shared/http/describe/part.ts';
import {
  administrator,
  count,
  flag,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import type { SystemContext } from '../context.ts';
import {
  badParameter,
  type Query,
  readMoment,
  readOnce,
  readSize,
  sizeSchema,
} from '../request/read-parameters.ts';
import { changeActions } from './change-index.ts';
import { type AuditQuery, auditKinds, readAudit, readPlace } from './read-audit.ts';

/** Registers the routes that list sign-ins and changed permissions (docs/reference/system.md#audit). */
export function registerAuditRoutes(server: FastifyInstance, context: SystemContext): void {
  const { observed, directory, accessWatch } = context;

  server.get<{ Querystring: Query }>('/api/v1/System/audit', readingAudit, async (request) => {
    await readOperator(context, request);
    const query = readQuery(request);
    await accessWatch.flush();
    return withConnection(observed.connect, (client) => readAudit(client, query, context));
  });

  server.get('/api/v1/System/apiKeys', listingKeys, async (request) => {
    await readOperator(context, request);
    await accessWatch.flush();
    const list = await withConnection(observed.connect, (client) => listApiKeys(client, directory));
    return { total: list.length, list };
  });
}

/** An API user, and the time at which an api last saw its key (ISO 8601; null if no use was recorded). */
export type ApiKey = Awaited<ReturnType<typeof listApiKeys>>[number];

async function listApiKeys(database: AccessDatabase, { records }: Directory) {
  const uses = await readUses(database);
  return records('User')
    .filter(({ values }) => values['type'] === 'api')
    .map(({ id, values }) => ({
      userId: id,
      userName: String(values['userName']),
      authMethod: String(values['authMethod']),
      isActive: values['isActive'] === true,
      lastUsedAt: uses.get(id) ?? null,
    }))
    .toSorted((one, other) => one.userName.localeCompare(other.userName));
}

async function readUses(database: AccessDatabase): Promise<ReadonlyMap<string, string>> {
  if (!(await hasAccessTables(database))) return new Map();
  const { rows } = await database.query<{ user_id: string; used_at_ms: string }>(
    `select user_id, used_at_ms from ${auditSchema}.key_uses`,
  );
  return new Map(rows.map((row) => [row.user_id, new Date(Number(row.used_at_ms)).toISOString()]));
}

function readQuery({ query }: FastifyRequest<{ Querystring: Query }>): AuditQuery {
  const one = (name: string) => readOnce(query, name);
  const kind = auditKinds.find((known) => known === one('kind'));
  if (one('kind') !== undefined && kind === undefined) {
    throw badParameter(`kind must be one of ${auditKinds.join(', ')}.`);
  }
  const place = one('after');
  const after = place === undefined ? undefined : readPlace(place);
  if (place !== undefined && after === undefined) {
    throw badParameter('after must be the value of next from an earlier response.');
  }
  const maxSize = readSize(query);
  const user = one('user');
  // Postgres rejects text that contains NUL.
  if (user?.includes('\0')) throw badParameter('user must be an id or a user name.');
  return {
    kind,
    user,
    from: readMoment(query, 'from'),
    to: readMoment(query, 'to'),
    after,
    maxSize,
  };
}

const orNull = (part: Part) => ({ anyOf: [part, { type: 'null' }] });

const properties = {
  id: text,
  at: { ...text, format: 'date-time' },
  kind: { enum: auditKinds },
  action: { enum: [...changeActions, 'signedIn', 'refused'] },
  byId: nullableText,
  byName: nullableText,
  ...administrator,
  requestId: { ...nullableText, description: 'The trace id of the request.' },
  record: orNull(objectOf({ entityType: text, id: text, name: nullableText, version: count })),
  changes: {
    type: ['array', 'null'],
    description: 'Null for a sign-in, and for a change that Postgres does not have yet.',
    items: objectOf({ attribute: text, before: {}, after: {} }),
  },
  signIn: orNull(
    objectOf({
      userName: { ...nullableText, description: 'As sent by the client; null for an API key.' },
      method: { enum: signInMethods },
      address: text,
      reason: { ...nullableText, description: 'An error code; null if the sign-in succeeded.' },
      attempts: { ...count, description: 'The number of identical attempts within seconds.' },
    }),
  ),
};
const entry = objectOf(
  properties,
  Object.keys(properties).filter((name) => !Object.hasOwn(administrator, name)),
);

const query = (name: string, schema: Part = text) => ({ name, in: 'query', schema }) as const;

const readingAudit = describeSystemRoute({
  id: 'System_audit',
  summary: 'Read sign-ins, and changes of users, permissions, definitions and webhooks',
  description:
    'Newest first, without secrets. For administrators. To get the next page, send `next` as `after` with the same filters.',
  parameters: [
    query('kind', { enum: auditKinds }),
    query('user'),
    query('from'),
    query('to'),
    query('after'),
    query('maxSize', sizeSchema),
  ],
  answer: objectOf({
    list: { type: 'array', items: entry, maxItems: sizeSchema.maximum },
    next: nullableText,
  }),
  errors: ['parameter.invalid'],
});

const listingKeys = describeSystemRoute({
  id: 'System_apiKeys',
  summary: 'List the API users, and when each last used its key',
  description: 'For administrators. Uses of the last minute may be missing.',
  answer: pageOf(
    objectOf({
      userId: text,
      userName: text,
      authMethod: text,
      isActive: flag,
      lastUsedAt: nullableText,
    }),
  ),
});
