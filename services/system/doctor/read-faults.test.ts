import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.ts';
import { readFaults } from './read-faults.ts';

const full: Finding = {
  about: 'disk',
  verdict: 'fault',
  code: 'disk.full',
  says: 'The disk of /data has 3 MB left.',
  remedy: 'free some space',
  parameters: { path: '/data', freeMegabytes: 3 },
};

describe('the faults for notifications', () => {
  it('omit warnings and faults that follow from others', () => {
    const found = readFaults([
      { ...full, verdict: 'warning' },
      { ...full, follows: 'Kafka' },
      { ...full, verdict: 'ok' },
      full,
    ]);
    expect(found.faults).toEqual([
      {
        part: 'disk',
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
        says: 'The disk of /data has 3 MB left.',
        remedy: 'free some space',
      },
    ]);
  });

  it('are complete only for parts that could be examined', () => {
    const failed = { ...full, code: 'check.failed' } as const;
    const { parts } = readFaults([
      { ...full, verdict: 'ok' },
      { ...full, about: 'webhooks', follows: 'Postgres' },
      { ...failed, about: 'files' },
    ]);
    expect([...parts]).toEqual(['disk']);
  });

  it('have the same key while their figures change, and different keys for different places', () => {
    const keyOf = (changes: Partial<Finding>) =>
      readFaults([{ ...full, ...changes }]).faults[0]?.key;
    expect(keyOf({ parameters: { path: '/data', freeMegabytes: 2 } })).toBe(keyOf({}));
    expect(keyOf({ parameters: { path: '/other', freeMegabytes: 3 } })).not.toBe(keyOf({}));
    const link = { kind: 'record', entityType: 'Webhook', id: 'one' } as const;
    expect(keyOf({ links: [link] })).not.toBe(keyOf({}));
  });
});
