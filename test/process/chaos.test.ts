import { expect, it } from 'vitest';
import { hasGo } from '../chaos/check-history.ts';
import { runChaosOnce } from '../chaos/run-once.ts';

// The checker is written in Go, so a machine without Go cannot check a history.
it.skipIf(!hasGo())(
  'a chaos run with two instances of every service finds only linearizable histories',
  { timeout: 480_000 },
  async () => {
    const { violations, operations, faults } = await runChaosOnce({
      seed: 1,
      seconds: 15,
      leastOperations: 101,
      clients: 8,
      longestPauseMs: 3_000,
      faults: new Set(['processes']),
    });

    expect(violations).toEqual([]);
    expect(operations).toBeGreaterThan(100);
    expect(faults.length).toBeGreaterThan(2);
  },
);
