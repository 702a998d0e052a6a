import { describe, expect, it } from 'vitest';
import { createPrepare } from './prepare-statement.ts';

describe('a prepared statement', () => {
  it('is named by its text, the same in every process', () => {
    const { name } = createPrepare()('select 1');
    expect(name).toMatch(/^[0-9a-f]{32}$/);
    expect(createPrepare()('select 1').name).toBe(name);
    expect(createPrepare()('select 2').name).not.toBe(name);
  });

  it('has no name any more when there are too many, those of before keep theirs', () => {
    const prepare = createPrepare();
    const first = prepare('select 0');
    for (let number = 1; number < 500; number += 1) prepare(`select ${number}`);
    expect(prepare('select 500')).toEqual({ text: 'select 500' });
    expect(prepare('select 0')).toEqual(first);
  });
});
