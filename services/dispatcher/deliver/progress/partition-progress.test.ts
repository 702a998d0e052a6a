import { describe, expect, it } from 'vitest';
import { PartitionProgress } from './partition-progress.ts';

const topic = 'batches';
const startAt = (offset: bigint, metadata = '') =>
  new PartitionProgress({ topic, partition: 0, offset, metadata });
const beginAll = (progress: PartitionProgress, ...offsets: readonly bigint[]) =>
  offsets.filter((offset) => progress.begin(offset));

function commit(progress: PartitionProgress, ...ended: readonly bigint[]) {
  const step = progress.stepWith(new Set(ended));
  progress.record(step);
  return { ...step.position, recorded: [...step.recorded] };
}

describe('the position of a partition', () => {
  it('is the oldest message without a completion', () => {
    const progress = startAt(5n);
    beginAll(progress, 5n, 6n, 7n);
    expect(commit(progress, 5n)).toMatchObject({ offset: 6n, metadata: '' });
    expect(commit(progress, 6n, 7n)).toMatchObject({ offset: 8n, metadata: '' });
  });

  it('stays at an unfinished message and records later completions as metadata', () => {
    const progress = startAt(0n);
    beginAll(progress, 0n, 1n, 2n, 3n);
    expect(commit(progress, 2n)).toEqual({
      topic,
      partition: 0,
      offset: 0n,
      metadata: '2.1',
      recorded: [2n],
    });
    expect(commit(progress, 0n)).toMatchObject({ offset: 1n, metadata: '1.1' });
    expect(commit(progress, 1n)).toMatchObject({ offset: 3n, metadata: '' });
  });

  it('skips offsets without messages once all earlier messages are completed', () => {
    const progress = startAt(0n);
    beginAll(progress, 0n, 3n);
    progress.passTo(6n);
    expect(commit(progress, 0n)).toMatchObject({ offset: 3n });
    expect(commit(progress, 3n)).toMatchObject({ offset: 6n });
  });
});

describe('a partition after a restart', () => {
  it('processes only messages without a recorded completion', () => {
    const progress = startAt(10n, '1.2.1.1');
    expect(beginAll(progress, 10n, 11n, 12n, 13n, 14n, 15n, 16n)).toEqual([10n, 13n, 15n, 16n]);
  });

  it('keeps recorded completions beyond the last message read', () => {
    const progress = startAt(10n, '1.2.1.1');
    beginAll(progress, 10n);
    expect(commit(progress, 10n)).toMatchObject({ offset: 13n, metadata: '1.1' });
  });
});

describe('full metadata', () => {
  it('records the completion at the position while other completions wait for room', () => {
    const progress = startAt(0n);
    const offsets = Array.from({ length: 6_000 }, (_, index) => BigInt(index));
    beginAll(progress, ...offsets);
    const odd = offsets.filter((offset) => offset % 2n === 1n);
    const first = commit(progress, ...odd);
    expect(first.recorded.length).toBeGreaterThan(900);
    expect(first.recorded.length).toBeLessThan(odd.length);
    expect(first.metadata.length).toBeLessThanOrEqual(4_000);

    const [waiting] = odd.slice(first.recorded.length);
    expect(commit(progress, waiting ?? 0n).recorded).toEqual([]);
    const moved = commit(progress, 0n, waiting ?? 0n);
    expect(moved).toMatchObject({ offset: 2n, recorded: [0n, waiting] });
  });

  it('keeps all completions from earlier metadata', () => {
    const progress = startAt(0n);
    const offsets = Array.from({ length: 9_000 }, (_, index) => BigInt(index));
    beginAll(progress, ...offsets);
    const first = commit(progress, ...offsets.filter((offset) => offset % 4n === 3n));
    const second = commit(progress, 1n);

    const restored = startAt(second.offset, second.metadata);
    const begun = new Set(beginAll(restored, ...offsets));
    expect([...first.recorded, ...second.recorded].filter((offset) => begun.has(offset))).toEqual(
      [],
    );
  });
});

describe('completions in any order, with crashes at any moment', () => {
  it('are recorded exactly once each', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomNumbers(seed);
      const offsets = Array.from({ length: 40 }, (_, index) => BigInt(index * (1 + (seed % 3))));
      expect(recordWithCrashes(offsets, random)).toEqual(offsets.map((offset) => [offset, 1]));
    }
  });
});

/** Returns how often the completion of each message was recorded. */
function recordWithCrashes(offsets: readonly bigint[], random: (below: number) => number) {
  const times = new Map<bigint, number>();
  let stored = { topic, partition: 0, offset: 0n, metadata: '' };
  const end = (offsets.at(-1) ?? 0n) + 1n;
  while (stored.offset < end) {
    const life = liveUntilCrash(stored, offsets, random);
    stored = life.stored;
    for (const offset of life.recorded) times.set(offset, (times.get(offset) ?? 0) + 1);
  }
  return [...times].toSorted(([one], [other]) => Number(one - other));
}

function liveUntilCrash(
  from: ConstructorParameters<typeof PartitionProgress>[0],
  offsets: readonly bigint[],
  random: (below: number) => number,
) {
  const progress = new PartitionProgress(from);
  const unread = offsets.filter((offset) => offset >= progress.start);
  const recorded: bigint[] = [];
  let stored = from;
  let open: bigint[] = [];
  for (let moves = random(60); moves > 0; moves--) {
    open.push(...beginAll(progress, ...unread.splice(0, 1)));
    const step = progress.stepWith(new Set(open.filter(() => random(3) === 0)));
    if (random(3) === 0) continue;
    progress.record(step);
    stored = step.position;
    recorded.push(...step.recorded);
    open = open.filter((offset) => !step.recorded.has(offset));
  }
  return { stored, recorded };
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) % below;
  };
}
