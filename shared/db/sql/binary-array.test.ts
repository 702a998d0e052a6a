import { describe, expect, it } from 'vitest';
import { toBinaryArray } from './binary-array.ts';

/** The expected bytes are from Postgres: `select encode(array_send(array['a', null, 'é€😀', '']), 'hex')`. */
describe('toBinaryArray', () => {
  it('writes texts as Postgres sends them', () => {
    expect(toBinaryArray('text', ['a', null, 'é€😀', '']).toString('hex')).toBe(
      '00000001000000010000001900000004000000010000000161ffffffff00000009c3a9e282acf09f988000000000',
    );
  });

  it('writes bytes as Postgres sends them', () => {
    const bytes = [Buffer.from('00ff7b22', 'hex'), Buffer.alloc(0)];
    expect(toBinaryArray('bytea', bytes).toString('hex')).toBe(
      '00000001000000000000001100000002000000010000000400ff7b2200000000',
    );
  });

  it('writes values that are neither text nor bytes as text', () => {
    expect(toBinaryArray('text', [true, -1.5])).toEqual(toBinaryArray('text', ['true', '-1.5']));
  });

  it('writes an empty array without dimensions', () => {
    expect(toBinaryArray('text', []).toString('hex')).toBe('000000000000000000000019');
  });
});
