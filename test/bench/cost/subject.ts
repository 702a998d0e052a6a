import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import type { StartedProduct } from '../../support/harness/product.ts';
import { contactBodies } from '../contact-bodies.ts';
import type { HttpAddress } from '../load/http-connection.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { cpuMsOf } from '../process-usage.ts';
import { contactId } from '../reads/fill-contacts.ts';

export const kinds = ['create', 'update', 'read', 'list'] as const;
export type Kind = (typeof kinds)[number];

/** Processor time since the start in milliseconds, by process. */
export type ProcessorTime = Readonly<Record<string, number>>;

/** A server whose requests are measured. */
export interface Subject extends HttpAddress {
  readonly name: string;
  /** Complete HTTP requests, by kind; kinds that it does not serve are missing. */
  readonly requests: Partial<Readonly<Record<Kind, readonly string[]>>>;
  /** Reads the processor time of its own processes, without Kafka and Postgres. */
  readProcessorTime(): ProcessorTime;
}

const DISTINCT_BODIES = 1_000;
const UPDATED_RECORDS = 5_000;
const READ_IDS = 20_000;

/** `stored`: the number of records that were stored by `fillContacts`. */
export async function productSubject(
  name: string,
  product: StartedProduct,
  stored: number,
): Promise<Subject> {
  const { url, apiKey: user, postgres } = product.access();
  const request = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    toHttpRequest({ method, path, apiKey: user.apiKey, body });
  const ids = await writtenIds(postgres.url);
  return {
    name,
    ...addressOf(url),
    requests: {
      create: contactBodies(DISTINCT_BODIES).map((body) =>
        request('POST', '/api/v1/Contact', body),
      ),
      // Each request changes its record: the title differs from that of the record's previous request.
      update: [0, 1].flatMap((round) =>
        ids.map((id, index) =>
          request('PUT', `/api/v1/Contact/${id}`, { title: `Buyer ${round}.${index % 97}` }),
        ),
      ),
      read: randomIds(stored).map((id) => request('GET', `/api/v1/Contact/${id}`)),
      list: [request('GET', '/api/v1/Contact?maxSize=20')],
    },
    readProcessorTime() {
      const { kafka, postgres, ...services } = product.access().processes;
      return Object.fromEntries(
        Object.entries(services).map(([service, pid]) => [service, pid ? cpuMsOf(pid) : 0]),
      );
    },
  };
}

/** Returns ids in an order that looks random but is the same each time. */
function randomIds(stored: number): readonly string[] {
  const count = Math.min(READ_IDS, stored);
  return Array.from({ length: count }, (_, index) => contactId(((index * 7919) % stored) + 1));
}

export function addressOf(url: string): HttpAddress {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** Returns ids of records that are in the log, unlike those that `fillContacts` multiplied. */
function writtenIds(databaseUrl: string): Promise<readonly string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select distinct record_id as id from annals.record_history where entity_type = 'Contact' limit $1`,
      [UPDATED_RECORDS],
    );
    return rows.map(({ id }) => id);
  });
}
