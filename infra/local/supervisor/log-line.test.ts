import { describe, expect, it } from 'vitest';
import { isErrorLine, toTerminalLine } from './log-line.ts';

const entry = (fields: object): string =>
  JSON.stringify({ level: 50, time: 1, pid: 2, hostname: 'h', msg: 'batch failed', ...fields });

describe('toTerminalLine', () => {
  it('shows warnings and errors without their constant fields', () => {
    expect(toTerminalLine('api', entry({ topic: 'annals.records', partition: 3 }))).toBe(
      '[api] error: batch failed topic=annals.records partition=3',
    );
    expect(toTerminalLine('api', entry({ level: 40, err: { type: 'X', message: 'gone' } }))).toBe(
      '[api] warn: batch failed err=gone',
    );
    const err = { type: 'Unavailable', message: 'gone', remedy: 'start it' };
    expect(toTerminalLine('api', entry({ err }))).toBe(
      '[api] error: batch failed err=gone: start it',
    );
  });

  it.each([entry({ level: 30 }), 'not json', '{"broken', '[]', '{}', ''])(
    'hides the line %j',
    (line) => {
      expect(toTerminalLine('api', line)).toBeUndefined();
    },
  );

  it('truncates long lines', () => {
    expect(toTerminalLine('api', entry({ body: 'x'.repeat(1_000) }))).toHaveLength(402);
  });
});

describe('isErrorLine', () => {
  it('counts errors and stack traces but not warnings or empty lines', () => {
    expect(isErrorLine(entry({}))).toBe(true);
    expect(isErrorLine('    at main.ts:1')).toBe(true);
    expect(isErrorLine(entry({ level: 40 }))).toBe(false);
    expect(isErrorLine('')).toBe(false);
  });
});
