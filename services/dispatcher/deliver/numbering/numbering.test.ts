import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReceiverDirectory } from '../../../../shared/events/events-for-receiver.ts';
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';
import { aBatch } from '../../../../test/support/builders/build-batch.ts';
import { directoryWithReader } from '../../../../test/support/builders/directory-with-reader.ts';
import { dispatcherContext } from '../../../../test/support/builders/dispatcher-context.ts';
import type { BatchTask } from '../progress/in-flight-window.ts';
import { PartitionProgress } from '../progress/partition-progress.ts';
import { Numbering } from './numbering.ts';

const topic = 'webhook-sequences';
const [event] = aBatch.events;
if (event === undefined) throw new Error('a batch without events');
const progress = new PartitionProgress({
  topic: 'batches',
  partition: 0,
  offset: 0n,
  metadata: '',
});

/** The values of the compacted topic. */
let log: Map<string, string>;
let read: 'all' | 'own';
let offset: bigint;
let recorded: Set<string>;

beforeEach(() => {
  log = new Map();
  read = 'all';
  offset = 0n;
  recorded = new Set();
});

const directories = { all: directoryWithReader('all'), own: directoryWithReader('own') };

/** Returns the records of `directories` for the current `read`. */
const directory: ReceiverDirectory = {
  record: (entityType, id) => directories[read].record(entityType, id),
  entity: (name) => directories[read].entity(name),
  actor: (id) => directories[read].actor(id),
};

function start(): Numbering {
  const context = dispatcherContext({ directory, topics: { webhookSequences: topic } });
  return new Numbering(context, new Map(log), {
    isRecorded: (place) => recorded.has(place.offset),
    onChange: () => undefined,
  });
}

const owned = (isOwn: boolean) => ({
  ...event,
  access: { assignedUserId: isOwn ? 'User' : null, createdById: null, teamIds: [] },
});

/** Returns a batch with one event per item of `owns`. An item is true if the record belongs to the reader. */
function aTask(owns: readonly boolean[], parts: Partial<WebhookBatch> = {}): BatchTask {
  offset += 1n;
  const batch: WebhookBatch = {
    ...aBatch,
    batchId: `b${offset}`,
    webhookId: 'Webhook',
    payloadFormat: 'events',
    events: owns.map(owned),
    ...parts,
  };
  return { progress, offset, batch, bytes: 1 };
}

const numbersOf = ({ batch }: BatchTask) => batch.events.map(({ sequence }) => sequence);

/** Returns the entries that the next transaction writes. */
function commit(numbering: Numbering): readonly AddressedMessage[] {
  const { messages, onCommitted } = numbering.takeWrite();
  for (const { key, value } of messages) log.set(key, String(value));
  onCommitted();
  return messages;
}

/** Sends a task like the delivery pipeline, with a commit after each write. */
function send(numbering: Numbering, task: BatchTask, waiting: readonly BatchTask[] = []): void {
  while (!numbering.apply(task, () => waiting)) {
    void numbering.write(task, () => waiting);
    commit(numbering);
  }
}

const end = (numbering: Numbering, { batch }: BatchTask) => numbering.forget(batch);

describe('numbers of webhook events', () => {
  it('are assigned in the order of the first requests', () => {
    const numbering = start();
    const [first, second] = [aTask([true, true]), aTask([true])];
    send(numbering, first, [second]);
    send(numbering, second);
    expect([numbersOf(first), numbersOf(second)]).toEqual([[1, 2], [3]]);
  });

  it('are written to the log before the request is sent', () => {
    const numbering = start();
    const task = aTask([true]);
    expect(numbering.apply(task, () => [])).toBe(false);
    void numbering.write(task, () => []);
    expect(numbering.apply(task, () => [])).toBe(false);
    commit(numbering);
    expect(numbering.apply(task, () => [])).toBe(true);
    expect(log.get('Webhook')).toBe('1');
  });

  it('are written together for all batches that wait in the queue', () => {
    const numbering = start();
    const tasks = Array.from({ length: 20 }, () => aTask([true]));
    const commits = vi.fn(() => commit(numbering));
    for (const [at, task] of tasks.entries()) {
      const waiting = () => tasks.slice(at + 1);
      while (!numbering.apply(task, waiting)) {
        void numbering.write(task, waiting);
        commits();
      }
    }
    expect(tasks.flatMap(numbersOf)).toEqual(tasks.map((_, index) => index + 1));
    expect(commits).toHaveBeenCalledTimes(1);
  });

  it('stay consecutive if the role hides an event at the first request', () => {
    const numbering = start();
    const [first, second] = [aTask([true, false, true]), aTask([true])];
    read = 'own';
    send(numbering, first);
    send(numbering, second);
    expect([numbersOf(first), numbersOf(second)]).toEqual([[1, undefined, 2], [3]]);
  });

  it('are reassigned if the role is narrowed between the write and the request', () => {
    const numbering = start();
    const [first, second, third] = [aTask([true]), aTask([false, true]), aTask([true])];
    send(numbering, first, [second, third]);
    read = 'own';
    send(numbering, second, [third]);
    send(numbering, third);
    expect([first, second, third].map(numbersOf)).toEqual([[1], [undefined, 2], [3]]);
  });

  it('include events that became readable after they were enqueued', () => {
    const numbering = start();
    const task = aTask([false, true]);
    read = 'own';
    expect(numbering.apply(aTask([false]), () => [])).toBe(true);
    read = 'all';
    send(numbering, task);
    expect(numbersOf(task)).toEqual([1, 2]);
  });

  it.each([
    ['of another payload format', { payloadFormat: 'records' }],
    ['of a replay', { replayId: 'r' }],
    ['of a test', { batchId: 'test_1' }],
    ['that were sent without numbers before', { attemptsMade: 1 }],
  ] as const)('are not assigned to events %s', (_, parts) => {
    const numbering = start();
    const task = aTask([true], parts);
    expect(numbering.apply(task, () => [])).toBe(true);
    expect(numbersOf(task)).toEqual([undefined]);
    expect(numbering.takeWrite().messages).toEqual([]);
  });

  it('continue after the numbers of a batch that an earlier version numbered', () => {
    const numbering = start();
    const numbered = aTask([]);
    numbered.batch = { ...numbered.batch, events: [{ ...event, sequence: 7 }] };
    expect(numbering.restore(numbered.batch)).toEqual(numbered.batch);
    send(numbering, numbered);
    const next = aTask([true]);
    send(numbering, next);
    expect([numbersOf(numbered), numbersOf(next)]).toEqual([[7], [8]]);
  });

  it('become available again when a batch is postponed', () => {
    const numbering = start();
    const [failed, postponed, next] = [aTask([true]), aTask([true, true]), aTask([true])];
    send(numbering, failed, [postponed]);
    expect(log.get('Webhook')).toBe('3');
    numbering.release(postponed.batch);
    commit(numbering);
    expect(log.get('Webhook')).toBe('1');
    send(numbering, next);
    send(numbering, postponed);
    expect([next, postponed].map(numbersOf)).toEqual([[2], [3, 4]]);
  });
});

describe('a successor', () => {
  it('resends the same numbers even after a role change and continues after them', () => {
    const crashed = start();
    const [first, second] = [aTask([true]), aTask([true, false])];
    send(crashed, first, [second]);
    read = 'own';

    const successor = start();
    second.batch = successor.restore(second.batch);
    const third = aTask([true]);
    for (const task of [second, third]) send(successor, task);
    expect([numbersOf(second), numbersOf(third)]).toEqual([[2, 3], [4]]);
  });

  it('does not keep the numbers of batches whose outcome is recorded', () => {
    const crashed = start();
    const tasks = [aTask([true]), aTask([true])];
    for (const task of tasks) {
      send(crashed, task);
      recorded.add(String(task.offset));
      end(crashed, task);
    }

    const successor = start();
    const next = aTask([true]);
    send(successor, next);
    expect(numbersOf(next)).toEqual([3]);
    expect(JSON.parse(log.get('Webhook/batches') ?? '')).toMatchObject([
      { batchId: next.batch.batchId, first: 3 },
    ]);
  });

  it('starts after the last sent number if the predecessor was closed', () => {
    const closed = start();
    const [sent, unsent] = [aTask([true]), aTask([true])];
    send(closed, sent, [unsent]);
    closed.close();
    commit(closed);
    recorded.add(String(sent.offset));

    read = 'own';
    const successor = start();
    unsent.batch = successor.restore(unsent.batch);
    const own = aTask([true]);
    send(successor, own);
    expect(numbersOf(own)).toEqual([2]);
  });
});
