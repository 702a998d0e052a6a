import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { createStartPosition } from './start-position.ts';

const at = { topic: 'records', partition: 1 };
const projected = (offset: bigint): ProjectedPosition => ({
  ...at,
  offset,
  token: 't',
  sequence: 0,
  sealed: true,
});

function createStand() {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const place = { now: 0, positions: [] as readonly ProjectedPosition[] };
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const positions = async () => place.positions;
  const deps = { positions, end: async () => 50_000n, now: () => place.now, logger };
  return { lines, place, startPosition: createStartPosition(deps, at) };
}

describe('waiting for the start position of a writer', () => {
  it("returns the projector's position in this partition", async () => {
    const { lines, place, startPosition } = createStand();
    place.positions = [{ ...projected(49_999n), partition: 0 }, projected(30_000n)];
    expect(await startPosition()).toEqual(projected(30_000n));
    expect(lines).toEqual([]);
  });

  it('returns undefined while the projector is far behind or has no tables yet', async () => {
    const { place, startPosition } = createStand();
    expect(await startPosition()).toBeUndefined();
    place.positions = [projected(29_999n)];
    expect(await startPosition()).toBeUndefined();
    place.positions = [projected(30_000n)];
    expect(await startPosition()).toBeDefined();
  });

  it('logs its start as info and then a warning every ten seconds', async () => {
    const { lines, place, startPosition } = createStand();
    for (place.now = 0; place.now <= 25_000; place.now += 100) await startPosition();
    expect(lines).toEqual([
      { level: 30, ...at, msg: 'waiting for the projector before taking the partition' },
      { level: 40, ...at, waitedMs: 10_000, msg: 'the projector keeps a partition waiting' },
      { level: 40, ...at, waitedMs: 20_000, msg: 'the projector keeps a partition waiting' },
    ]);
  });

  it('logs the start of each new wait', async () => {
    const { lines, place, startPosition } = createStand();
    await startPosition();
    place.positions = [projected(50_000n)];
    await startPosition();
    place.positions = [];
    place.now = 60_000;
    await startPosition();
    expect(lines.map(({ level }) => level)).toEqual([30, 30]);
  });
});
