import { describe, expect, it } from 'vitest';
import { takePortion } from './recorder.ts';

const completion = (bytes: number, partition = 0) => ({
  messages: [{ topic: 'attempts', partition, value: Buffer.alloc(bytes) }],
});

describe('a portion', () => {
  it('contains all completions if they fit', () => {
    const completions = [completion(10), completion(10)];
    expect(takePortion(completions)).toEqual({ portion: completions, rest: [] });
    expect(takePortion([])).toEqual({ portion: [], rest: [] });
  });

  it("ends before a record batch exceeds the broker's limit", () => {
    const completions = [completion(500_000), completion(500_000), completion(10)];
    expect(takePortion(completions).portion).toEqual(completions.slice(0, 1));
  });

  it('counts the bytes of each partition separately', () => {
    const completions = [completion(500_000), completion(500_000, 1), completion(10)];
    expect(takePortion(completions).rest).toEqual([]);
  });

  it('contains the first completion, however large it is', () => {
    expect(takePortion([completion(2_000_000)]).portion).toHaveLength(1);
  });

  it('contains a limited number of completions', () => {
    const completions = Array.from({ length: 12_000 }, () => completion(1));
    expect(takePortion(completions).portion).toHaveLength(5_000);
  });
});
