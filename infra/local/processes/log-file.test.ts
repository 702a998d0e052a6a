import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLogTail, rotateLog } from './log-file.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-log-'));
  path = join(directory, 'api.log');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('rotateLog', () => {
  it('leaves a small log and a missing one alone', () => {
    rotateLog(path, 10);
    writeFileSync(path, 'short');
    rotateLog(path, 10);

    expect(readdirSync(directory)).toEqual(['api.log']);
  });

  it('moves a large log aside and keeps the last three', () => {
    for (const content of ['the first', 'the second', 'the third', 'the fourth']) {
      writeFileSync(path, content);
      rotateLog(path, 5);
    }

    expect(readdirSync(directory).toSorted()).toEqual(['api.log.1', 'api.log.2', 'api.log.3']);
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('the fourth');
    expect(readFileSync(`${path}.3`, 'utf8')).toBe('the second');
  });
});

describe('readLogTail', () => {
  it('gives the end of a long log, and nothing of a missing one', () => {
    writeFileSync(path, `${'x'.repeat(20_000)}the end`);

    expect(readLogTail(path)).toHaveLength(8 * 1024);
    expect(readLogTail(path)).toMatch(/xthe end$/);
    expect(readLogTail(join(directory, 'missing'))).toBe('');
  });
});
