import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLogFile, readLogTail, rotateLog, rotateOpenLog } from './log-file.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'annals-log-'));
  path = join(directory, 'api.log');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('rotateLog', () => {
  it('ignores small and missing logs', () => {
    rotateLog(path, 10);
    writeFileSync(path, 'short');
    rotateLog(path, 10);

    expect(readdirSync(directory)).toEqual(['api.log']);
  });

  it('moves a large log aside and keeps the last three files', () => {
    for (const content of ['the first', 'the second', 'the third', 'the fourth']) {
      writeFileSync(path, content);
      rotateLog(path, 5);
    }

    expect(readdirSync(directory).toSorted()).toEqual(['api.log.1', 'api.log.2', 'api.log.3']);
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('the fourth');
    expect(readFileSync(`${path}.3`, 'utf8')).toBe('the second');
  });
});

describe('openLogFile', () => {
  let failures: unknown[];
  beforeEach(() => {
    failures = [];
  });
  const open = (limitBytes: number) =>
    openLogFile(path, { limitBytes, onError: (error) => failures.push(error) });

  it('starts a new file when the current one is full and keeps the last three', () => {
    const log = open(10);
    for (const line of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']) {
      log.write(line.padEnd(9, '.'));
    }
    log.close();
    const kept = ['', '.3', '.2', '.1'].map((end) => readFileSync(`${path}${end}`, 'utf8'));
    expect(kept).toEqual(['nine.....\n', 'six......\n', 'seven....\n', 'eight....\n']);
    expect(readdirSync(directory)).toHaveLength(4);
    expect(failures).toEqual([]);
  });

  it('appends to the file of an earlier run and counts its existing size', () => {
    writeFileSync(path, 'earlier\n');
    const log = open(10);
    log.write('now');
    log.write('later');
    log.close();
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('earlier\nnow\n');
    expect(readFileSync(path, 'utf8')).toBe('later\n');
  });

  it('reports a write error and resumes writing once the file is writable again', () => {
    vi.useFakeTimers();
    rmSync(directory, { recursive: true });
    const log = open(10);
    log.write('lost.....');
    log.write('lost, too');
    expect(failures).toHaveLength(1);
    mkdirSync(directory);
    vi.advanceTimersByTime(1_000);
    log.write('kept');
    log.close();
    vi.useRealTimers();
    expect(readFileSync(path, 'utf8')).toBe('kept\n');
  });
});

describe('rotateOpenLog', () => {
  it('truncates a large log while a program writes to it', () => {
    const file = openSync(path, 'a');
    writeSync(file, 'the first part');
    rotateOpenLog(path, 20);
    expect(readdirSync(directory)).toEqual(['api.log']);
    rotateOpenLog(path, 10);
    writeSync(file, 'the second');
    closeSync(file);

    expect(readFileSync(`${path}.1`, 'utf8')).toBe('the first part');
    expect(readFileSync(path, 'utf8')).toBe('the second');
  });
});

describe('readLogTail', () => {
  it('returns the end of a long log and an empty string for a missing log', () => {
    writeFileSync(path, `${'x'.repeat(20_000)}the end`);

    expect(readLogTail(path)).toHaveLength(8 * 1024);
    expect(readLogTail(path)).toMatch(/xthe end$/);
    expect(readLogTail(path, 20_000)).toBe('the end');
    // The log has been rotated since.
    expect(readLogTail(path, 30_000)).toBe('');
    expect(readLogTail(join(directory, 'missing'))).toBe('');
  });
});
