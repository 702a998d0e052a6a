import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

function follow(options: { readonly isTTY: boolean; readonly isJson: boolean }) {
  let written = '';
  let time = 1_000_000;
  const output = { isTTY: options.isTTY, write: (text: string) => (written += text) };
  const progress = createProgress(output, {
    what: 'Reading',
    isJson: options.isJson,
    now: () => time,
  });
  const at = (seconds: number, done: number): string => {
    time = 1_000_000 + seconds * 1000;
    progress.update({ done, total: 100 });
    return written;
  };
  return { at, finish: () => progress.finish(), written: () => written };
}

it('omits short operations from log files', () => {
  const { at, finish, written } = follow({ isTTY: false, isJson: false });
  expect(at(0, 0)).toBe('');
  expect(at(4, 40)).toBe('');
  expect(at(5, 50)).toBe('Reading: 50 of 100 (50 %), 10/s, 5 s left\n');
  finish();
  expect(written()).toMatch(/left\n$/);
});

it('prints progress immediately on a terminal and for programs', () => {
  const terminal = follow({ isTTY: true, isJson: false });
  expect(terminal.at(0, 0)).toContain('\rReading: 0 of 100');
  terminal.finish();
  expect(terminal.written()).toMatch(/\n$/);
  const program = follow({ isTTY: true, isJson: true });
  expect(JSON.parse(program.at(0, 0))).toMatchObject({ progress: 'Reading', done: 0, total: 100 });
});
