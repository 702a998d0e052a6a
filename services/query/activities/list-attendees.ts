import { accessLevel } from '../../../shared/domain/access/actor.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { toRows } from '../../../shared/domain/record/link-columns.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import { listLinked } from '../links/list-linked.ts';
import { mayViewLink } from '../links/viewable-link.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import type { RecordQuery } from '../rows/require-readable.ts';

interface Attendee {
  readonly id: string;
  readonly name: string | null;
  readonly acceptanceStatus: string;
  readonly emailAddress: unknown;
  readonly _scope: string;
}

export interface Attendees {
  readonly list: readonly Attendee[];
}

/** Links from meetings and calls to their participants, in the order of the response. */
const scopes = { users: 'User', contacts: 'Contact', leads: 'Lead' } as const;
/** EspoCRM's clients expect this text in place of an address that the user may not see. */
const HIDDEN_ADDRESS = 'dummy@dummy.dummy';
const PAGE = 200;

/** Lists the participants of a record. `record` is the reader's view, without fields that the reader may not see. */
export async function listAttendees(
  deps: SearchDeps,
  query: RecordQuery,
  record: Row,
): Promise<Attendees> {
  const list: Attendee[] = [];
  for (const [link, scope] of Object.entries(scopes)) {
    const ids = idsIn(record[`${link}Ids`] as AttributeValue);
    if (ids.length === 0) continue;
    const addresses = await readAddresses(deps, query, { link, count: ids.length });
    const names: Readonly<Record<string, unknown>> = Object(record[`${link}Names`]);
    const rows = toRows(record[`${link}Columns`] as AttributeValue);
    const found = ids.map((id) => ({
      id,
      name: typeof names[id] === 'string' ? names[id] : null,
      acceptanceStatus: String(rows[id]?.['status'] ?? 'None'),
      emailAddress: addresses.has(id) ? addresses.get(id) : HIDDEN_ADDRESS,
      _scope: scope,
    }));
    list.push(...found.toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? '')));
  }
  return { list };
}

/** Returns the visible addresses of the linked records, by record id. */
async function readAddresses(
  deps: SearchDeps,
  query: RecordQuery,
  { link, count }: { readonly link: string; readonly count: number },
): Promise<ReadonlyMap<string, unknown>> {
  const findModel = deps.directory.entity;
  const found = linksOf(query.model, findModel).get(link);
  const addresses = new Map<string, unknown>();
  const mayRead = accessLevel(query.actor, found?.entityType ?? '', 'read') !== 'no';
  if (found === undefined || !mayRead || !mayViewLink(query, found, findModel)) return addresses;
  for (let offset = 0; offset < count; offset += PAGE) {
    const { list } = await listLinked(
      deps,
      { ...query, link },
      {
        offset,
        maxSize: PAGE,
        orderBy: undefined,
        direction: undefined,
        select: ['emailAddress'],
        withTotal: false,
        filter: undefined,
      },
    );
    for (const row of list) {
      if ('emailAddress' in row) addresses.set(String(row['id']), row['emailAddress']);
    }
  }
  return addresses;
}
