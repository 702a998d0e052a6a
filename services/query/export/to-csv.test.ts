import { expect, it } from 'vitest';
import { toCsv } from './to-csv.ts';

const cell = (value: unknown) =>
  toCsv(['x'], [{ x: value }])
    .toString()
    .split('\r\n')[1];

it('writes a line of names and one per record, quoted where that is needed', () => {
  const rows = [
    { id: '1', name: 'a "b", c', tags: ['x', 'y'], open: true, none: null },
    { id: '2', name: 'two\nlines', tags: [], open: false },
  ];
  expect(toCsv(['id', 'name', 'tags', 'open', 'none'], rows).toString()).toBe(
    'id,name,tags,open,none\r\n' +
      '1,"a ""b"", c","[""x"",""y""]",true,\r\n' +
      '2,"two\nlines",[],false,\r\n',
  );
  expect(toCsv(['id'], []).toString()).toBe('id\r\n');
});

it.each(['=1+1', '+cmd', '-x', '@SUM(A1)', '\tx', '+1+1'])('%j does nothing in a table', (text) => {
  expect(cell(text)?.replaceAll('"', '')).toBe(`'${text}`);
});

it.each([
  ['-5', '-5'],
  ['+49 30 12-34', '+49 30 12-34'],
  [-5.5, '-5.5'],
  ["'quoted", "'quoted"],
])('%j stays as it is', (value, written) => {
  expect(cell(value)).toBe(written);
});
