import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiAnswer, type ApiClient, recordIn } from '../support/api-client.ts';

/** A record from the view of the client that created it. */
export interface Written {
  readonly id: string;
  readonly key: string;
}

export interface DiskLoad {
  readonly acknowledged: readonly Written[];
  /** Keys of requests that were rejected with 507. */
  readonly refused: readonly string[];
  readonly reads: { readonly done: number; readonly failed: number; readonly longestGapMs: number };
  /** Counts of responses other than success and 507, by outcome. */
  readonly unknown: ReadonlyMap<string, number>;
  /** Responses that no client may ever get. */
  readonly complaints: readonly string[];
  /** Time of the latest acknowledged write, in milliseconds since 1970. */
  lastAcknowledgedAt(): number;
  /** True if every client was rejected recently, and none succeeded. */
  isRefused(): boolean;
  stop(): Promise<void>;
}

const WRITERS = 8;
const READERS = 2;
const REST_MS = 100;
const READ_REST_MS = 20;
const REFUSED_FOR_MS = 3_000;
/** Random text, which cannot be compressed. */
const DESCRIPTION_BYTES = 9_000;

export async function createContacts(api: ApiClient, count: number): Promise<readonly Written[]> {
  const created: Written[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < count) {
        const key = `first-${next++}`;
        created.push({ key, id: String(recordIn(await create(api, key, 'Known')).id) });
      }
    }),
  );
  return created;
}

const create = (api: ApiClient, key: string, description: string): Promise<ApiAnswer> =>
  api.post(
    '/Contact',
    { lastName: key, description },
    { 'Idempotency-Key': key, 'X-Skip-Duplicate-Check': 'true' },
  );

/** Clients that write new contacts as fast as they get responses, and others that read acknowledged ones. */
export function startDiskLoad(api: ApiClient, known: readonly Written[]): DiskLoad {
  const acknowledged: Written[] = [...known];
  const refused: string[] = [];
  const unknown = new Map<string, number>();
  const complaints: string[] = [];
  const reads = { done: 0, failed: 0, longestGapMs: 0 };
  let lastAcknowledgedAt = 0;
  let lastRefusedAt = 0;
  let lastReadAt = Date.now();
  let isStopping = false;
  let keys = 0;

  async function writeOnce(): Promise<boolean> {
    const key = `disk-${++keys}`;
    const description = randomBytes((DESCRIPTION_BYTES * 3) / 4).toString('base64');
    const answer = await create(api, key, description).catch(() => undefined);
    if (answer?.status === 200) {
      lastAcknowledgedAt = Date.now();
      acknowledged.push({ id: String(recordIn(answer).id), key });
      return true;
    }
    noteRefusal(key, answer);
    return false;
  }

  function noteRefusal(key: string, answer: ApiAnswer | undefined): void {
    if (answer?.status === 507 && answer.text.includes('storage.low')) {
      lastRefusedAt = Date.now();
      refused.push(key);
    } else if (answer === undefined || answer.status === 503) {
      const what = `${answer?.status ?? 'no response'}`;
      unknown.set(what, (unknown.get(what) ?? 0) + 1);
    } else complaints.push(`${answer.status} ${answer.text.slice(0, 200)}`);
  }

  async function readOnce(): Promise<void> {
    const wanted = acknowledged[Math.floor(Math.random() * acknowledged.length)];
    const answer = await api.get(`/Contact/${wanted?.id}`).catch(() => undefined);
    if (answer?.status === 200) {
      if (recordIn(answer)['lastName'] !== wanted?.key) complaints.push(`read ${answer.text}`);
      reads.longestGapMs = Math.max(reads.longestGapMs, Date.now() - lastReadAt);
      lastReadAt = Date.now();
      reads.done += 1;
    } else if (answer === undefined || answer.status === 503) reads.failed += 1;
    else complaints.push(`read of ${wanted?.id}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }

  const writer = async (): Promise<void> => {
    while (!isStopping) if (!(await writeOnce())) await sleep(REST_MS);
  };
  const reader = async (): Promise<void> => {
    while (!isStopping) {
      await readOnce();
      await sleep(READ_REST_MS);
    }
  };
  const running = Promise.all([
    ...Array.from({ length: WRITERS }, writer),
    ...Array.from({ length: READERS }, reader),
  ]);
  return {
    acknowledged,
    refused,
    reads,
    unknown,
    complaints,
    lastAcknowledgedAt: () => lastAcknowledgedAt,
    isRefused: () => lastRefusedAt - lastAcknowledgedAt > REFUSED_FOR_MS,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
