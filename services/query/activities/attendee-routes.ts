import type { FastifyInstance } from 'fastify';
import { acceptanceStatuses } from '../../../shared/domain/entity/stock/options.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { read, searched } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import type { ReadRecord } from '../records/read-record.ts';
import { type IdRoute, type ReadDeps, readReader } from '../request/read-reader.ts';
import { type Attendees, listAttendees } from './list-attendees.ts';

/** Registers the participants of a meeting or call, for invitations (docs/reference/activities.md#attendees). */
export function registerAttendees(
  server: FastifyInstance,
  deps: ReadDeps,
  readRecord: ReadRecord,
): void {
  for (const entity of ['Meeting', 'Call']) {
    server.get<IdRoute>(
      `/api/v1/${entity}/:id/attendees`,
      attendees(entity),
      async (request): Promise<Attendees> => {
        const query = { ...(await readReader(deps, request, entity)), id: request.params.id };
        const { record } = await readRecord(query);
        return listAttendees(deps, query, record);
      },
    );
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
