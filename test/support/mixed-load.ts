import { setTimeout as sleep } from 'node:timers/promises';
import { toObject } from '../../shared/domain/value/attribute-values.ts';
import type { ApiAnswer, ApiClient } from './api-client.ts';
import { createRandomSource, type RandomSource } from './builders/random-source.ts';
import { unique } from './builders/record-builders.ts';

export interface MixedLoad {
  /** Number of writes with a 2xx response. */
  done(): number;
  /** Number of requests, by kind. */
  readonly requests: ReadonlyMap<string, number>;
  /** Responses that no client may get. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
}

interface LoadedType {
  readonly name: string;
  /** Attributes of every new record. */
  readonly body: () => object;
  /** Ids of all records that were created. */
  readonly ids: string[];
}

interface MixedLoadOptions {
  readonly api: ApiClient;
  readonly seed: number;
  /** Values of new records, by entity type. */
  readonly types: Readonly<Record<string, () => object>>;
}

const CLIENTS = 8;
const RECENT = 30;
const PAUSE_AFTER_FAILURE_MS = 50;
const unchecked = { 'X-Skip-Duplicate-Check': 'true' };

/**
 * Clients that create, change, delete, restore and merge the same records of several entity types, singly and
 * in mass actions, until they are stopped. Their choices depend only on the seed, the results also on timing.
 */
export function startMixedLoad({ api, seed, types }: MixedLoadOptions): MixedLoad {
  const loaded = Object.entries(types).map(([name, body]): LoadedType => ({ name, body, ids: [] }));
  const requests = new Map<string, number>();
  const complaints: string[] = [];
  let done = 0;
  let isStopping = false;

  async function writeOnce(random: RandomSource): Promise<void> {
    const type = random.pick(loaded);
    const [what, write] = draw(random, type);
    requests.set(what, (requests.get(what) ?? 0) + 1);
    const answer = await write(api).catch(() => undefined);
    if (answer !== undefined && answer.status < 300) {
      done += 1;
      if (what === 'create') type.ids.push(String(toObject(answer.body)['id']));
      return;
    }
    // Rejections for deleted records are valid responses.
    const isFine = answer === undefined || answer.status < 500 || answer.status === 503;
    if (!isFine) complaints.push(`${what} of ${type.name}: ${answer.status} ${answer.text}`);
    await sleep(PAUSE_AFTER_FAILURE_MS);
  }

  const running = Array.from({ length: CLIENTS }, async (_, client) => {
    const random = createRandomSource(seed * CLIENTS + client);
    while (!isStopping) await writeOnce(random);
  });
  return {
    done: () => done,
    requests,
    complaints,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}

type Write = (api: ApiClient) => Promise<ApiAnswer>;

/** Chooses among the latest records, so that clients compete. */
function recentIds(random: RandomSource, ids: readonly string[], count: number): readonly string[] {
  const recent = ids.slice(-RECENT);
  return Array.from({ length: Math.min(count, recent.length) }, () => random.pick(recent));
}

function draw(random: RandomSource, { name, body, ids }: LoadedType): readonly [string, Write] {
  const turn = random.int(12);
  const [id, ...others] = recentIds(random, ids, 4);
  if (id === undefined || turn < 5)
    return ['create', (api) => api.post(`/${name}`, body(), unchecked)];
  if (turn < 7)
    return ['update', (api) => api.put(`/${name}/${id}`, { description: unique('new') })];
  if (turn < 9) return ['delete', (api) => api.delete(`/${name}/${id}`)];
  if (turn < 10) return ['restore', (api) => api.post(`/${name}/action/restoreDeleted`, { id })];
  if (turn < 11) {
    const params = { ids: [id, ...others] };
    return [
      'mass delete',
      (api) => api.post('/MassAction', { entityType: name, action: 'delete', params }),
    ];
  }
  const data = { sourceIdList: others.slice(0, 2), attributes: {} };
  return ['merge', (api) => api.post('/Action', { entityType: name, id, action: 'merge', data })];
}
