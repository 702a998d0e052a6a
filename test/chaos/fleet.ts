import { setTimeout as sleep } from 'node:timers/promises';
import { partitionOf } from '../../shared/events/partition-of.ts';
import { type ApiAnswer, type ApiClient, recordIn } from '../support/api-client.ts';
import type { RandomSource } from '../support/builders/random-source.ts';
import type { Operation } from './check-history.ts';

interface FleetDeps {
  readonly api: ApiClient;
  readonly random: RandomSource;
  readonly clients: number;
  readonly partitions: number;
}

/** The last state of a record that a client has seen. */
interface Seen {
  readonly id: string;
  version: number;
}

/** A request of a client, with the time of its first attempt in milliseconds since 1970. */
interface Waiting {
  readonly kind: 'read' | 'write';
  readonly since: number;
}

type Begun = Pick<Operation, 'client' | 'kind' | 'record' | 'call'> & Partial<Operation>;

const SHARED_RECORDS = 12;
const GIVE_UP_MS = 40_000;
const RETRY_MS = 40;

/** Clients that write and read the same few records, and new ones, until they are stopped. */
export class Fleet {
  readonly history: Operation[] = [];
  /** Responses that no client may ever get. */
  readonly complaints: string[] = [];
  /** Acknowledged writes, with their partition and time in milliseconds since 1970. */
  readonly acknowledged: { readonly partition: number; readonly at: number }[] = [];
  /** Requests with a conclusive response, and its time. */
  readonly served: (Waiting & { readonly at: number })[] = [];
  /** The request without a conclusive response, by client and kind. */
  readonly waiting = new Map<string, Waiting>();
  readonly #deps: FleetDeps;
  readonly #running: Promise<unknown>;
  readonly #records: Seen[] = [];
  #isStopping = false;
  #values = 0;

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    this.#running = Promise.all(
      Array.from({ length: deps.clients }, (_, client) => this.#runClient(client)),
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  async #runClient(client: number): Promise<void> {
    const { random } = this.#deps;
    while (!this.#isStopping) {
      const seen = this.#records[random.int(Math.max(this.#records.length, 1))];
      const turn = random.int(100);
      if (seen === undefined || turn < 12) await this.#create(client);
      else if (turn < 55) await this.#read(client, seen);
      else await this.#write(client, { seen, kind: turn < 94 ? 'update' : 'delete' });
    }
  }

  async #create(client: number): Promise<void> {
    const { api, random } = this.#deps;
    const value = `v${++this.#values}`;
    const call = now();
    const headers = { 'Idempotency-Key': `${value}-create` };
    const answer = await this.#send(client, () => api.post('/Account', { name: value }, headers));
    // Without a response to its creation, no client knows the id of a record.
    if (answer === undefined) return;
    if (answer.status !== 200) return this.#complain('create', answer);
    const { id } = recordIn(answer);
    this.#record({ client, kind: 'create', record: id, value, call, version: versionIn(answer) });
    const isFull = this.#records.length >= SHARED_RECORDS;
    this.#records[isFull ? random.int(SHARED_RECORDS) : this.#records.length] = { id, version: 1 };
  }

  async #write(
    client: number,
    { seen, kind }: { readonly seen: Seen; readonly kind: 'update' | 'delete' },
  ): Promise<void> {
    const { api, random } = this.#deps;
    const value = `v${++this.#values}`;
    const ifMatch = random.int(3) === 0 ? seen.version : 0;
    const condition = ifMatch === 0 ? {} : { 'If-Match': `"v${ifMatch}"` };
    const headers = { 'Idempotency-Key': value, ...condition };
    const operation = { client, kind, record: seen.id, value, ifMatch, call: now() };
    const path = `/Account/${seen.id}`;
    const answer = await this.#send(client, () =>
      kind === 'update' ? api.put(path, { name: value }, headers) : api.delete(path, headers),
    );
    if (answer?.status === 200 && kind === 'update') seen.version = versionIn(answer);
    this.#recordWrite(operation, answer);
  }

  #recordWrite(operation: Begun, answer: ApiAnswer | undefined): void {
    if (answer === undefined) this.#record({ ...operation, outcome: 'unknown' });
    else if (answer.status === 200) this.#record({ ...operation, version: versionIn(answer) });
    else if (answer.status === 404) this.#record({ ...operation, outcome: 'missing' });
    else if (answer.status === 412) this.#record({ ...operation, outcome: 'mismatch' });
    else this.#complain(operation.kind, answer);
  }

  async #read(client: number, seen: Seen): Promise<void> {
    const operation = { client, kind: 'read', record: seen.id, call: now() } as const;
    this.#begin(client, 'read');
    const answer = await this.#deps.api.get(`/Account/${seen.id}`).catch(() => undefined);
    if (answer !== undefined && answer.status < 500) this.#end(client, 'read');
    if (answer?.status === 200) {
      seen.version = versionIn(answer);
      const observed = String(recordIn(answer)['name']);
      this.#record({ ...operation, version: versionIn(answer), observed });
    } else if (answer?.status === 404) this.#record({ ...operation, outcome: 'missing' });
    else if (answer === undefined || answer.status >= 500) await sleep(RETRY_MS);
    else this.#complain('read', answer);
  }

  /** Repeats a request under the same key until a response is conclusive; undefined if none is in time. */
  async #send(client: number, request: () => Promise<ApiAnswer>): Promise<ApiAnswer | undefined> {
    this.#begin(client, 'write');
    const until = Date.now() + GIVE_UP_MS;
    while (Date.now() < until) {
      const answer = await request().catch(() => undefined);
      if (answer !== undefined && answer.status < 500) {
        this.#end(client, 'write');
        return answer;
      }
      await sleep(RETRY_MS);
    }
    this.waiting.delete(`${client} write`);
    return undefined;
  }

  /** A client whose last read failed is still waiting since that read. */
  #begin(client: number, kind: Waiting['kind']): void {
    const key = `${client} ${kind}`;
    if (kind === 'write' || !this.waiting.has(key))
      this.waiting.set(key, { kind, since: Date.now() });
  }

  #end(client: number, kind: Waiting['kind']): void {
    const key = `${client} ${kind}`;
    const begun = this.waiting.get(key);
    if (begun !== undefined) this.served.push({ ...begun, at: Date.now() });
    this.waiting.delete(key);
  }

  #record(operation: Begun): void {
    const completed: Operation = {
      value: '',
      ifMatch: 0,
      outcome: 'ok',
      version: 0,
      observed: '',
      return: now(),
      ...operation,
    };
    this.history.push(completed);
    if (completed.outcome !== 'ok' || completed.kind === 'read') return;
    const partition = partitionOf(completed.record, this.#deps.partitions);
    this.acknowledged.push({ partition, at: Date.now() });
  }

  #complain(what: string, { status, text }: ApiAnswer): void {
    this.complaints.push(`${what}: ${status} ${text.slice(0, 200)}`);
  }
}

function versionIn({ headers }: ApiAnswer): number {
  return Number(/^"v(\d+)"$/.exec(String(headers['etag']))?.[1] ?? 0);
}

function now(): number {
  return Number(process.hrtime.bigint());
}
