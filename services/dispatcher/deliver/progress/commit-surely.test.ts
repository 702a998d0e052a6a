import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../../shared/domain/errors.ts';
import {
  type PositionWithMetadata,
  TransactionSuperseded,
  type Transactor,
} from '../../../../shared/kafka/transactor.ts';
import { createCommitSurely } from './commit-surely.ts';

const before = { topic: 'batches', partition: 0, offset: 3n, metadata: '' };
const after = { ...before, offset: 4n };
const commit = {
  messages: [{ topic: 'attempts', partition: 0, key: 'w1', value: Buffer.from('x') }],
  positions: [after],
  sequences: [],
};

/** The effect of a commit on the log, and whether the response reaches the client. */
type Fate = 'commits' | 'fails' | 'commits, answer lost' | 'superseded';

function buildLog(fates: readonly Fate[], stored: PositionWithMetadata = before) {
  const left = [...fates];
  const log = { position: stored, appended: 0 };
  const sequences = new Map([['w1', '1']]);
  const transactor: Partial<Transactor> = {
    takeOver: async () => undefined,
    async commit(messages, [position = before]) {
      const fate = left.shift() ?? 'commits';
      if (fate === 'superseded') throw new TransactionSuperseded('fenced');
      if (fate !== 'fails') {
        log.position = position;
        log.appended += messages.length;
        for (const { key, value } of messages) sequences.set(key, String(value));
      }
      if (fate !== 'commits') throw new Unavailable('no answer');
    },
    positionsWithMetadata: async () => [{ metadata: '', ...log.position }],
  };
  const commitSurely = createCommitSurely(transactor as Transactor, pino({ level: 'silent' }), {
    stored: [stored],
    sequences: new Map(sequences),
    loadSequences: async () => sequences,
  });
  return { log, sequences, commitSurely };
}

const never = () => false;

describe('a commit', () => {
  it('is retried until it succeeds', async () => {
    const { log, commitSurely } = buildLog(['fails', 'fails']);
    expect(await commitSurely(commit, never)).toBe(true);
    expect(log).toEqual({ position: after, appended: 1 });
  });

  it('is not repeated when only its response was lost', async () => {
    const { log, commitSurely } = buildLog(['fails', 'commits, answer lost']);
    expect(await commitSurely(commit, never)).toBe(true);
    expect(log).toEqual({ position: after, appended: 1 });
  });

  it('is compared with the position of the previous commit', async () => {
    const { log, commitSurely } = buildLog(['commits', 'fails']);
    await commitSurely(commit, never);
    const next = { ...commit, positions: [{ ...after, metadata: '1.1' }] };
    expect(await commitSurely(next, never)).toBe(true);
    expect(log.appended).toBe(2);
  });

  it('throws when another process has moved the position', async () => {
    const { log, commitSurely } = buildLog(['fails']);
    log.position = { ...before, offset: 9n };
    await expect(commitSurely(commit, never)).rejects.toThrow(TransactionSuperseded);
    expect(log.appended).toBe(0);
  });

  it('throws when a newer process has fenced this one', async () => {
    const { commitSurely } = buildLog(['superseded']);
    await expect(commitSurely(commit, never)).rejects.toThrow(TransactionSuperseded);
  });

  it('returns false when delivery stops', async () => {
    const { commitSurely } = buildLog(['fails', 'fails']);
    expect(await commitSurely(commit, () => true)).toBe(false);
  });
});

describe('a commit of sequence numbers without positions', () => {
  const message = { topic: 'webhook-sequences', partition: 0, key: 'w1', value: Buffer.from('2') };
  const numbers = { messages: [], positions: [], sequences: [message] };

  it('is retried until it succeeds', async () => {
    const { log, sequences, commitSurely } = buildLog(['fails', 'fails']);
    expect(await commitSurely(numbers, never)).toBe(true);
    expect(log.appended).toBe(1);
    expect(sequences.get('w1')).toBe('2');
  });

  it('is not repeated when only its response was lost', async () => {
    const { log, commitSurely } = buildLog(['fails', 'commits, answer lost']);
    expect(await commitSurely(numbers, never)).toBe(true);
    expect(log.appended).toBe(1);
  });

  it('throws when another process has written the numbers', async () => {
    const { log, sequences, commitSurely } = buildLog(['fails']);
    sequences.set('w1', '5');
    await expect(commitSurely(numbers, never)).rejects.toThrow(TransactionSuperseded);
    expect(log.appended).toBe(0);
  });
});
