import { describe, expect, it, vi } from 'vitest';
import { Lanes } from './lanes.ts';
import { createRequestSlots, type RequestSlots } from './request-slots.ts';

interface Work {
  readonly name: string;
  end(): void;
}

interface LanesOptions {
  readonly maxConcurrent?: number;
  readonly perOrigin?: number;
  readonly permits?: number;
  /** Shared with other lanes. */
  readonly slots?: RequestSlots;
}

/** The origin of a task is the part of its name before `:`. */
function buildLanes(options: LanesOptions = {}) {
  const started: Work[] = [];
  const ended: string[] = [];
  const bugs: unknown[] = [];
  let permits = options.permits ?? Number.POSITIVE_INFINITY;
  const lanes = new Lanes<string>({
    slots:
      options.slots ??
      createRequestSlots({
        inAll: options.maxConcurrent ?? 10,
        perOrigin: options.perOrigin ?? 10,
      }),
    // Tasks whose names end with `!` need no permit.
    hasPermit: (name) => permits > 0 || name.endsWith('!'),
    takePermit: (name) => name.endsWith('!') || permits-- > 0,
    begin(name) {
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
    onFree: () => undefined,
    onBug: (error) => bugs.push(error),
  });
  return {
    lanes,
    ended,
    bugs,
    started: () => started.map(({ name }) => name),
    async end(name: string) {
      started.find((work) => work.name === name)?.end();
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    },
    give(more: number) {
      permits = more;
      lanes.resume();
    },
  };
}

describe('lanes', () => {
  it('run one task per lane at a time, in order', async () => {
    const { lanes, started, end } = buildLanes();
    for (const task of ['a1', 'a2']) lanes.add('a', task, 1);
    lanes.add('b', 'b1', 1);
    expect(started()).toEqual(['a1', 'b1']);
    await end('a1');
    expect(started()).toEqual(['a1', 'b1', 'a2']);
  });

  it('run at most the allowed number of tasks together, and take turns', async () => {
    const { lanes, started, end } = buildLanes({ maxConcurrent: 1 });
    for (const task of ['a1', 'a2', 'a3']) lanes.add('a', task, 1);
    for (const task of ['b1', 'b2']) lanes.add('b', task, 1);
    for (const task of ['a1', 'b1', 'a2', 'b2']) await end(task);
    expect(started()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('start no task without a permit, and continue when there are permits', async () => {
    const { lanes, started, end, give } = buildLanes({ permits: 1 });
    lanes.add('a', 'a1', 1);
    lanes.add('b', 'b1', 1);
    lanes.add('a', 'a2', 1);
    await end('a1');
    expect(started()).toEqual(['a1']);
    give(2);
    expect(started()).toEqual(['a1', 'b1', 'a2']);
  });

  it('start a task with a permit before tasks without one, also of the same lane', async () => {
    const { lanes, started, end, give } = buildLanes({ permits: 0 });
    for (const task of ['a1', 'a2', 'a3!']) lanes.add('a', task, 1);
    lanes.add('b', 'b1', 1);
    lanes.add('c', 'c1!', 1);
    expect(started()).toEqual(['a3!', 'c1!']);
    await end('a3!');
    lanes.add('b', 'b2!', 1);
    expect(started()).toEqual(['a3!', 'c1!', 'b2!']);
    expect(lanes.backlog('a')).toMatchObject({ batches: 2, bytes: 2 });
    await end('b2!');
    give(9);
    expect(started()).toEqual(['a3!', 'c1!', 'b2!', 'a1', 'b1']);
  });

  it('make at most the allowed number of requests to one origin, without delaying others', async () => {
    const { lanes, started, end } = buildLanes({ perOrigin: 1 });
    for (const lane of ['a', 'b', 'c']) lanes.add(lane, `slow:${lane}`, 1);
    lanes.add('d', 'quick:d1', 1);
    lanes.add('d', 'quick:d2', 1);
    await end('quick:d1');
    expect(started()).toEqual(['slow:a', 'quick:d1', 'quick:d2']);
    await end('slow:a');
    await end('slow:b');
    expect(started()).toEqual(['slow:a', 'quick:d1', 'quick:d2', 'slow:b', 'slow:c']);
  });

  it('pass on a turn at an origin when they have no request for it', async () => {
    const { lanes, started, end } = buildLanes({ perOrigin: 1 });
    for (const lane of ['a', 'b', 'c', 'd']) lanes.add(lane, `slow:${lane}`, 1);
    lanes.takeWaiting('b');
    lanes.takeWaiting('c');
    lanes.add('c', 'quick:c', 1);
    await end('slow:a');
    expect(started()).toEqual(['slow:a', 'quick:c', 'slow:d']);
  });

  it('take their turn at an origin once there is a permit', async () => {
    const { lanes, started, end, give } = buildLanes({ perOrigin: 1, permits: 1 });
    for (const lane of ['a', 'b', 'c']) lanes.add(lane, `slow:${lane}`, 1);
    await end('slow:a');
    expect(started()).toEqual(['slow:a']);
    give(2);
    await end('slow:b');
    expect(started()).toEqual(['slow:a', 'slow:b', 'slow:c']);
  });

  it('pass on their turns at an origin to other partitions when they stop', async () => {
    const slots = createRequestSlots({ inAll: 10, perOrigin: 1 });
    const [leaving, staying] = [buildLanes({ slots }), buildLanes({ slots })];
    for (const lane of ['a', 'b', 'c']) leaving.lanes.add(lane, `slow:${lane}`, 1);
    staying.lanes.add('d', 'slow:d', 1);
    void leaving.lanes.drained();
    await leaving.end('slow:a');
    expect(leaving.started()).toEqual(['slow:a']);
    expect(staying.started()).toEqual(['slow:d']);
  });

  it('need no permit for tasks that end without a request', () => {
    const { lanes, ended, started } = buildLanes({ permits: 0 });
    for (const task of ['ended1', 'ended2', 'a3']) lanes.add('a', task, 1);
    expect(ended).toEqual(['ended1', 'ended2']);
    expect(started()).toEqual([]);
    expect(lanes.backlog('a')).toMatchObject({ batches: 1, bytes: 1 });
  });

  it('can be emptied while a task is running', async () => {
    const { lanes, started, end } = buildLanes();
    for (const task of ['a1', 'a2', 'a3']) lanes.add('a', task, 5);
    expect(lanes.takeWaiting('a')).toEqual(['a2', 'a3']);
    expect(lanes.backlog('a')).toMatchObject({ batches: 0, bytes: 0 });
    expect(lanes.takeWaiting('unknown')).toEqual([]);
    lanes.add('a', 'a4', 1);
    await end('a1');
    expect(started()).toEqual(['a1', 'a4']);
  });

  it('can be emptied while they wait for a permit', () => {
    const { lanes, started, give } = buildLanes({ permits: 0 });
    lanes.add('a', 'a1', 1);
    lanes.add('b', 'b1', 1);
    expect(lanes.takeWaiting('a')).toEqual(['a1']);
    give(5);
    lanes.add('a', 'a2', 1);
    expect(started()).toEqual(['b1', 'a2']);
  });

  it('report a task that throws, and continue', async () => {
    const { lanes, bugs, started, end } = buildLanes();
    lanes.add('a', 'broken', 1);
    lanes.add('a', 'a2', 1);
    await end('broken');
    expect(bugs).toHaveLength(1);
    expect(started()).toEqual(['broken', 'a2']);
  });

  it('let running tasks end and start no others while they drain', async () => {
    const { lanes, started, end } = buildLanes();
    for (const task of ['a1', 'a2']) lanes.add('a', task, 1);
    const drained = vi.fn();
    const draining = lanes.drained().then(drained);
    lanes.add('b', 'b1', 1);
    await end('nothing');
    expect(drained).not.toHaveBeenCalled();
    await end('a1');
    await draining;
    expect(started()).toEqual(['a1']);
  });
});

describe('a lane', () => {
  it('is slow when its task runs for long', () => {
    vi.useFakeTimers();
    const { lanes } = buildLanes();
    lanes.add('a', 'a1', 1);
    expect(lanes.backlog('a').isSlow).toBe(false);
    vi.advanceTimersByTime(2_001);
    expect(lanes.backlog('a').isSlow).toBe(true);
    vi.useRealTimers();
  });

  it('is slow when it needs long for its backlog', async () => {
    vi.useFakeTimers();
    const { lanes, end } = buildLanes();
    lanes.add('a', 'a1', 1);
    for (let index = 0; index < 400; index++) lanes.add('a', 'a2', 1);
    vi.advanceTimersByTime(1_000);
    await end('a1');
    expect(lanes.backlog('a')).toEqual({ batches: 399, bytes: 399, isSlow: true });
    vi.useRealTimers();
  });
});
