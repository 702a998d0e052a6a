import { describe, expect, it, vi } from 'vitest';
import { RequestScheduler } from './request-scheduler.ts';
import { RunQuota } from './run-quota.ts';

interface Work {
  readonly name: string;
  end(): void;
}

interface QueuesOptions {
  readonly inTotal?: number;
  readonly perHost?: number;
  /** 0 means no limit. */
  readonly requestsPerRun?: number;
  /** Shared with the queues of other partitions. */
  readonly scheduler?: RequestScheduler<string>;
}

/**
 * The origin of a task is the part of its name before `:`. A name that ends with `!` is a test, which needs no quota.
 */
function buildQueues(options: QueuesOptions = {}) {
  const { inTotal = 10, perHost = 10, requestsPerRun = 0 } = options;
  const scheduler =
    options.scheduler ??
    new RequestScheduler<string>({ inTotal, perHost }, new RunQuota(requestsPerRun));
  const started: Work[] = [];
  const ended: string[] = [];
  const bugs: unknown[] = [];
  const queues = scheduler.open({
    kindOf: (name) => (name.endsWith('!') ? 'test' : 'first'),
    prepare(name) {
      if (name.startsWith('ended')) {
        ended.push(name);
        return undefined;
      }
      const run = () =>
        new Promise<void>((resolve, reject) => {
          const end = name === 'broken' ? () => reject(new Error('bug')) : resolve;
          started.push({ name, end });
        });
      return { origin: name.replace(/:.*/, ''), run };
    },
    onRoom: () => undefined,
    onBug: (error) => void bugs.push(error),
  });
  return {
    queues,
    scheduler,
    ended,
    bugs,
    started: () => started.map(({ name }) => name),
    async end(name: string) {
      started.find((work) => work.name === name)?.end();
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    },
  };
}

describe('queues', () => {
  it('run one task at a time in order', async () => {
    const { queues, started, end } = buildQueues();
    for (const task of ['a1', 'a2']) queues.add('a', task, 1);
    queues.add('b', 'b1', 1);
    expect(started()).toEqual(['a1', 'b1']);
    await end('a1');
    expect(started()).toEqual(['a1', 'b1', 'a2']);
  });

  it('run at most the allowed number of tasks together and take turns', async () => {
    const { queues, started, end } = buildQueues({ inTotal: 1 });
    for (const task of ['a1', 'a2', 'a3']) queues.add('a', task, 1);
    for (const task of ['b1', 'b2']) queues.add('b', task, 1);
    for (const task of ['a1', 'b1', 'a2', 'b2']) await end(task);
    expect(started()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('start no task without quota and take turns when a run begins', async () => {
    const { queues, started, end, scheduler } = buildQueues({ requestsPerRun: 1 });
    for (const task of ['a1', 'a2']) queues.add('a', task, 1);
    queues.add('b', 'b1', 1);
    expect(started()).toEqual([]);
    for (const task of ['a1', 'b1', 'a2']) {
      scheduler.startRun();
      await end(task);
    }
    expect(started()).toEqual(['a1', 'b1', 'a2']);
  });

  it('take turns with the queues of other partitions when a run begins', async () => {
    const one = buildQueues({ requestsPerRun: 1 });
    const { scheduler } = one;
    const other = buildQueues({ scheduler });
    for (const task of ['a1', 'a2', 'a3']) one.queues.add('a', task, 1);
    for (const task of ['b1', 'b2']) other.queues.add('b', task, 1);
    for (const task of ['a1', 'b1', 'a2', 'b2']) {
      scheduler.startRun();
      await Promise.all([one.end(task), other.end(task)]);
    }
    expect([one.started(), other.started()]).toEqual([
      ['a1', 'a2'],
      ['b1', 'b2'],
    ]);
  });

  it('take turns with the queues of other partitions for the last free request', async () => {
    const one = buildQueues({ inTotal: 1 });
    const other = buildQueues({ scheduler: one.scheduler });
    for (const task of ['a1', 'a2', 'a3']) one.queues.add('a', task, 1);
    other.queues.add('b', 'ended', 1);
    other.queues.add('c', 'c1', 1);
    await one.end('a1');
    expect([one.started(), other.started()]).toEqual([['a1'], ['c1']]);
    await other.end('c1');
    expect(one.started()).toEqual(['a1', 'a2']);
    expect(one.scheduler.inFlight()).toBe(1);
  });

  it('start tasks that need no quota before all others, even in the same queue', async () => {
    const { queues, started, end, scheduler } = buildQueues({ requestsPerRun: 9 });
    for (const task of ['a1', 'a2', 'a3!']) queues.add('a', task, 1);
    queues.add('b', 'b1', 1);
    queues.add('c', 'c1!', 1);
    expect(started()).toEqual(['a3!', 'c1!']);
    await end('a3!');
    queues.add('b', 'b2!', 1);
    expect(started()).toEqual(['a3!', 'c1!', 'b2!']);
    expect(queues.backlog('a')).toMatchObject({ batches: 2, bytes: 2 });
    await end('b2!');
    scheduler.startRun();
    expect(started()).toEqual(['a3!', 'c1!', 'b2!', 'a1', 'b1']);
  });

  it('send at most the allowed number of requests to one host without delaying others', async () => {
    const { queues, started, end } = buildQueues({ perHost: 1 });
    for (const queue of ['a', 'b', 'c']) queues.add(queue, `slow:${queue}`, 1);
    queues.add('d', 'quick:d1', 1);
    queues.add('d', 'quick:d2', 1);
    await end('quick:d1');
    expect(started()).toEqual(['slow:a', 'quick:d1', 'quick:d2']);
    await end('slow:a');
    await end('slow:b');
    expect(started()).toEqual(['slow:a', 'quick:d1', 'quick:d2', 'slow:b', 'slow:c']);
  });

  it('skip their turn at a host when they have no request for it', async () => {
    const { queues, started, end } = buildQueues({ perHost: 1 });
    for (const queue of ['a', 'b', 'c', 'd']) queues.add(queue, `slow:${queue}`, 1);
    queues.takeWaiting('b');
    queues.takeWaiting('c');
    queues.add('c', 'quick:c', 1);
    await end('slow:a');
    expect(started()).toEqual(['slow:a', 'quick:c', 'slow:d']);
  });

  it('take their turn at a host once there is quota', async () => {
    const { queues, started, end, scheduler } = buildQueues({ perHost: 1, requestsPerRun: 2 });
    scheduler.startRun();
    queues.add('d', 'quick:d', 1);
    for (const queue of ['a', 'b', 'c']) queues.add(queue, `slow:${queue}`, 1);
    await end('slow:a');
    expect(started()).toEqual(['quick:d', 'slow:a']);
    scheduler.startRun();
    await end('slow:b');
    expect(started()).toEqual(['quick:d', 'slow:a', 'slow:b', 'slow:c']);
  });

  it('take turns at a host that is at its limit', async () => {
    const { queues, started, end } = buildQueues({ perHost: 1 });
    for (const task of ['slow:a1', 'slow:a2']) queues.add('a', task, 1);
    queues.add('b', 'slow:b1', 1);
    await end('slow:a1');
    await end('slow:b1');
    expect(started()).toEqual(['slow:a1', 'slow:b1', 'slow:a2']);
  });

  it('pass their turns at a host to other partitions when they stop', async () => {
    const leaving = buildQueues({ perHost: 1 });
    const staying = buildQueues({ scheduler: leaving.scheduler });
    for (const queue of ['a', 'b', 'c']) leaving.queues.add(queue, `slow:${queue}`, 1);
    staying.queues.add('d', 'slow:d', 1);
    void leaving.queues.drained();
    await leaving.end('slow:a');
    expect(leaving.started()).toEqual(['slow:a']);
    expect(staying.started()).toEqual(['slow:d']);
  });

  it('need no quota for tasks that end without a request', () => {
    const { queues, ended, started } = buildQueues({ requestsPerRun: 9 });
    for (const task of ['ended1', 'ended2', 'a3']) queues.add('a', task, 1);
    expect(ended).toEqual(['ended1', 'ended2']);
    expect(started()).toEqual([]);
    expect(queues.backlog('a')).toMatchObject({ batches: 1, bytes: 1 });
  });

  it('can be emptied while a task is running', async () => {
    const { queues, started, end } = buildQueues();
    for (const task of ['a1', 'a2', 'a3']) queues.add('a', task, 5);
    expect(queues.takeWaiting('a')).toEqual(['a2', 'a3']);
    expect(queues.backlog('a')).toMatchObject({ batches: 0, bytes: 0 });
    expect(queues.takeWaiting('unknown')).toEqual([]);
    queues.add('a', 'a4', 1);
    await end('a1');
    expect(started()).toEqual(['a1', 'a4']);
  });

  it('can be emptied while they wait for quota', () => {
    const { queues, started, scheduler } = buildQueues({ requestsPerRun: 9 });
    queues.add('a', 'a1', 1);
    queues.add('b', 'b1', 1);
    expect(queues.takeWaiting('a')).toEqual(['a1']);
    scheduler.startRun();
    queues.add('a', 'a2', 1);
    expect(started()).toEqual(['b1', 'a2']);
  });

  it('report a task that throws and continue', async () => {
    const { queues, bugs, started, end } = buildQueues();
    queues.add('a', 'broken', 1);
    queues.add('a', 'a2', 1);
    await end('broken');
    expect(bugs).toHaveLength(1);
    expect(started()).toEqual(['broken', 'a2']);
  });

  it('finish running tasks and start no others while they drain', async () => {
    const { queues, started, end } = buildQueues();
    for (const task of ['a1', 'a2']) queues.add('a', task, 1);
    const drained = vi.fn();
    const draining = queues.drained().then(drained);
    queues.add('b', 'b1', 1);
    await end('nothing');
    expect(drained).not.toHaveBeenCalled();
    await end('a1');
    await draining;
    expect(started()).toEqual(['a1']);
  });
});

describe('a queue', () => {
  it('is slow when its task runs for a long time', () => {
    vi.useFakeTimers();
    const { queues } = buildQueues();
    queues.add('a', 'a1', 1);
    expect(queues.backlog('a').isSlow).toBe(false);
    vi.advanceTimersByTime(2_001);
    expect(queues.backlog('a').isSlow).toBe(true);
    vi.useRealTimers();
  });

  it('is slow when its backlog takes a long time', async () => {
    vi.useFakeTimers();
    const { queues, end } = buildQueues();
    queues.add('a', 'a1', 1);
    for (let index = 0; index < 400; index++) queues.add('a', 'a2', 1);
    vi.advanceTimersByTime(1_000);
    await end('a1');
    expect(queues.backlog('a')).toEqual({ batches: 399, bytes: 399, isSlow: true });
    vi.useRealTimers();
  });
});
