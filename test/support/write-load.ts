import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiAnswer, type ApiClient, recordIn } from './api-client.ts';
import { unique } from './builders/record-builders.ts';

export type WriteKind = 'create' | 'update' | 'delete';

/** A write from its client's view. The outcome is open only for `unknown`. */
export interface AttemptedWrite {
  readonly kind: WriteKind;
  /** Undefined for a creation without a response. */
  readonly recordId: string | undefined;
  /** The name of a creation, or the description of an update: unique. */
  readonly value: string;
  readonly outcome: 'acknowledged' | 'unknown';
  /** For an unknown outcome: the response or error. */
  readonly reason?: string;
}

export interface WriteLoad {
  /** Writes of all clients, and of all loads with the same list. */
  readonly writes: readonly AttemptedWrite[];
  acknowledged(): number;
  /** Violations: rejections of valid requests, and reads that lack an acknowledged write. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
}

const clients = 16;
const paceMs = 10;
const pauseAfterFailureMs = 50;

/**
 * Clients that create, update and delete their own accounts, each request after the previous response, until
 * they are stopped.
 */
export function startWriteLoad(api: ApiClient, writes: AttemptedWrite[]): WriteLoad {
  const complaints: string[] = [];
  let isStopping = false;

  async function runClient(): Promise<void> {
    const client = createClient(api, writes, complaints);
    while (!isStopping) {
      const isKnown = await client.writeOnce();
      await sleep(isKnown ? paceMs : pauseAfterFailureMs);
    }
  }

  const running = Array.from({ length: clients }, runClient);
  return {
    writes,
    complaints,
    acknowledged: () => writes.filter(({ outcome }) => outcome === 'acknowledged').length,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}

function createClient(api: ApiClient, writes: AttemptedWrite[], complaints: string[]) {
  /** Records of this client with a known state. */
  const sure: string[] = [];
  let turn = 0;

  /** Undefined if the outcome of the write is unknown. */
  async function attempt(
    write: Omit<AttemptedWrite, 'outcome'>,
    request: () => Promise<ApiAnswer>,
  ): Promise<ApiAnswer | undefined> {
    const answer = await request().catch(String);
    if (typeof answer === 'object' && answer.status < 300) return answer;
    const reason = typeof answer === 'object' ? `${answer.status} ${answer.text}` : answer;
    if (typeof answer === 'object' && answer.status < 500) {
      complaints.push(`${write.kind} of ${write.recordId}: ${reason}`);
    }
    writes.push({ ...write, outcome: 'unknown', reason });
    return undefined;
  }

  async function create(): Promise<boolean> {
    const write = { kind: 'create', recordId: undefined, value: unique('Account') } as const;
    const answer = await attempt(write, async () => api.post('/Account', { name: write.value }));
    if (answer === undefined) return false;
    const { id } = recordIn(answer);
    writes.push({ ...write, recordId: id, outcome: 'acknowledged' });
    sure.push(id);
    return true;
  }

  async function update(recordId: string): Promise<boolean> {
    const write = { kind: 'update', recordId, value: unique('Change') } as const;
    const change = { description: write.value };
    const answer = await attempt(write, async () => api.put(`/Account/${recordId}`, change));
    if (answer === undefined) return false;
    writes.push({ ...write, outcome: 'acknowledged' });
    sure.push(recordId);
    const read = await api.get(`/Account/${recordId}`).catch(() => undefined);
    if (read?.status === 200 && recordIn(read)['description'] !== write.value) {
      complaints.push(`read after ${write.value}: ${read.text}`);
    }
    return true;
  }

  async function remove(recordId: string): Promise<boolean> {
    const write = { kind: 'delete', recordId, value: recordId } as const;
    const answer = await attempt(write, async () => api.delete(`/Account/${recordId}`));
    if (answer === undefined) return false;
    writes.push({ ...write, outcome: 'acknowledged' });
    return true;
  }

  return {
    /** False if the outcome is unknown. The record is then not used again. */
    async writeOnce(): Promise<boolean> {
      turn += 1;
      const recordId = turn % 3 === 1 ? undefined : sure.shift();
      if (recordId === undefined) return create();
      return turn % 9 === 0 ? remove(recordId) : update(recordId);
    },
  };
}
