import { describe, expect, it } from 'vitest';
import { createPrepare } from './prepare-statement.ts';

describe('createPrepare', () => {
  it('derives the name from the text, identically in every process', () => {
    const { name } = createPrepare()('select 1');
    expect(name).toMatch(/^[0-9a-f]{32}$/);
    expect(createPrepare()('select 1').name).toBe(name);
    expect(createPrepare()('select 2').name).not.toBe(name);
  });

  it('returns no name beyond the limit, while earlier statements keep theirs', () => {
    const prepare = createPrepare();
    const first = prepare('select 0');
    for (let number = 1; number < 500; number += 1) prepare(`select ${number}`);
    expect(prepare('select 500')).toEqual({ text: 'select 500' });
    expect(prepare('select 0')).toEqual(first);
  });
});
