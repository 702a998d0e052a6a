import type { FastifyInstance } from 'fastify';
import { accessLevel } from '../../../shared/domain/access/actor.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { acceptanceStatuses } from '../../../shared/domain/entity/stock/options.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { read, searched } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { type Row, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { mayViewLink, openLink } from '../links/open-link.ts';
import { searchRecords } from '../lists/search-records.ts';
import { type IdRoute, readReader } from '../request/read-reader.ts';
import type { RecordQuery } from '../rows/require-readable.ts';

/**
 * Registers the route that lists the participants in a meeting or call, for invitations
 * (docs/reference/activities.md#attendees).
 */
export function registerAttendees(server: FastifyInstance, context: QueryContext): void {
  for (const entity of ['Meeting', 'Call']) {
    server.get<IdRoute>(`/api/v1/${entity}/:id/attendees`, attendees(entity), async (request) => {
      const query = { ...(await readReader(context, request, entity)), id: request.params.id };
      const { record } = await context.readRecord(query);
      return { list: await listAttendees(context, query, record) };
    });
  }
}

const attendee: Part = objectOf({
  id,
  name: nullableText,
  acceptanceStatus: { ...text, enum: acceptanceStatuses },
  emailAddress: {
    ...nullableText,
    description: '`dummy@dummy.dummy` in place of an address that the user may not see.',
  },
  _scope: { ...text, enum: ['User', 'Contact', 'Lead'] },
});

function attendees(entity: string) {
  return describeRoute({
    id: `${entity}_attendees`,
    tag: entity,
    summary: 'List the participants and whether they accepted',
    parameters: ['id', 'X-Consistency-Token'],
    schemas: { attendee },
    answer: objectOf({ list: { type: 'array', items: refer('schemas', 'attendee') } }),
    errors: [...read, ...searched],
  });
}

/** Links from meetings and calls to their participants, in the order of the response. */
const scopes = { users: 'User', contacts: 'Contact', leads: 'Lead' } as const;
/** EspoCRM's clients expect this text in place of a hidden address. */
const HIDDEN_ADDRESS = 'dummy@dummy.dummy';
const PAGE = 200;
const unsorted = { orderBy: undefined, direction: undefined, filter: undefined };

/** Lists the participants of a record. `record` is the reader's view, without fields that the reader may not see. */
async function listAttendees(context: QueryContext, query: RecordQuery, record: Row) {
  const list = [];
  for (const [link, scope] of Object.entries(scopes)) {
    const ids = idsIn(record[`${link}Ids`]);
    if (ids.length === 0) continue;
    const addresses = await readAddresses(context, query, { link, count: ids.length });
    const names = toObject(record[`${link}Names`]);
    const rows = toObject(record[`${link}Columns`]);
    const found = ids.map((id) => ({
      id,
      name: textOrNull(names[id]),
      acceptanceStatus: String(toObject(rows[id])['status'] ?? 'None'),
      emailAddress: addresses.has(id) ? addresses.get(id) : HIDDEN_ADDRESS,
      _scope: scope,
    }));
    list.push(...found.toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? '')));
  }
  return list;
}

/** Returns the visible addresses of the linked records, by record id. */
async function readAddresses(
  context: QueryContext,
  query: RecordQuery,
  { link, count }: { readonly link: string; readonly count: number },
): Promise<ReadonlyMap<string, unknown>> {
  const findModel = context.directory.entity;
  const found = linksOf(query.model, findModel).get(link);
  const addresses = new Map<string, unknown>();
  const mayRead = accessLevel(query.actor, found?.entityType ?? '', 'read') !== 'no';
  if (found === undefined || !mayRead || !mayViewLink(query, found, findModel)) return addresses;
  const search = await openLink(context, link, query);
  for (let offset = 0; offset < count; offset += PAGE) {
    const page = { offset, maxSize: PAGE, select: ['emailAddress'], withTotal: true };
    const { list } = await searchRecords(context, { ...search, request: { ...unsorted, ...page } });
    for (const row of list) {
      if ('emailAddress' in row) addresses.set(String(row['id']), row['emailAddress']);
    }
  }
  return addresses;
}
