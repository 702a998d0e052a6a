import { describe, expect, it } from 'vitest';
import { UnreadableMessage } from '../domain/errors.ts';
import { decodeReplayProgress, encodeReplayProgress } from './replay-progress.ts';

const progress = {
  positions: [
    { partition: 0, offset: 2n ** 60n, token: 't', sequence: 7, sealed: true },
    { partition: 1, offset: 0n, token: null, sequence: 0, sealed: false },
  ],
  events: 3,
  hidden: 4,
  batches: 2,
  isDone: false,
  samples: [{ id: 'a' }],
};

describe('decodeReplayProgress', () => {
  it('decodes the output of encodeReplayProgress', () => {
    expect(decodeReplayProgress(encodeReplayProgress(progress))).toEqual(progress);
  });

  it('defaults to no hidden events for earlier versions', () => {
    const before = Buffer.from(change('hidden', undefined));
    expect(decodeReplayProgress(before)).toEqual({ ...progress, hidden: 0 });
  });

  it.each([
    '',
    'no progress',
    'null',
    '[]',
    '{}',
    ...Object.keys(progress)
      .filter((name) => name !== 'hidden')
      .map((name) => change(name, undefined)),
    change('positions', [null]),
    change('positions', [{ partition: 0, offset: 1, token: null, sequence: 0 }]),
    change('positions', [{ partition: 0, offset: '1x', token: null, sequence: 0 }]),
    change('positions', [{ partition: 0, offset: '1', token: 5, sequence: 0 }]),
    change('positions', [{ partition: '0', offset: '1', token: null, sequence: 0 }]),
    change('events', -1),
    change('hidden', '1'),
    change('batches', 1.5),
    change('isDone', 'yes'),
    change('samples', {}),
  ])('rejects %s', (text) => {
    expect(() => decodeReplayProgress(Buffer.from(text))).toThrow(UnreadableMessage);
  });

  it('rejects a null value', () => {
    expect(() => decodeReplayProgress(null)).toThrow(UnreadableMessage);
  });
});

function change(name: string, value: unknown): string {
  return JSON.stringify({
    ...JSON.parse(encodeReplayProgress(progress).toString()),
    [name]: value,
  });
}
