import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Row } from '../../../shared/search/run-statement.ts';
import { toCsv } from './to-csv.ts';

const piecesOf = async (columns: readonly string[], rows: readonly Row[]) =>
  Readable.from(toCsv(columns, slicesOf(rows))).toArray();

const csvOf = async (columns: readonly string[], rows: readonly Row[]) =>
  Buffer.concat(await piecesOf(columns, rows)).toString();

async function* slicesOf(rows: readonly Row[]) {
  yield rows.slice(0, 1);
  yield rows.slice(1);
}

const cell = async (value: unknown) =>
  (await csvOf(['x'], [{ x: value }])).slice('x\r\n'.length, -'\r\n'.length);

it('writes a header line and one line per record, quoted where necessary', async () => {
  const rows = [
    { id: '1', name: 'a "b", c', tags: ['x', 'y'], open: true, none: null },
    { id: '2', name: 'two\nlines', tags: [], open: false },
  ];
  expect(await csvOf(['id', 'name', 'tags', 'open', 'none'], rows)).toBe(
    'id,name,tags,open,none\r\n' +
      '1,"a ""b"", c","[""x"",""y""]",true,\r\n' +
      '2,"two\nlines",[],false,\r\n',
  );
  expect(await csvOf(['id'], [])).toBe('id\r\n');
});

it.each([
  ...['=1+1', '+cmd', '-x', '@SUM(A1)', '+1+1', ' =1+1', '\u00a0\u3000@SUM(A1)', '\u200b=1'],
  ...[
    '\tx',
    '\nx',
    '\rx',
    '\r\n=1',
    '\t-5',
    '\u2028x',
    '＝1+1',
    '＋1+1',
    '－x',
    '＠SUM(A1)',
    ' ＝1',
  ],
])('escapes %j so that spreadsheets do not run it', async (text) => {
  expect((await cell(text)).replaceAll('"', '')).toBe(`'${text}`);
});

it.each([
  ['-5', '-5'],
  ['+49 30 12-34', '+49 30 12-34'],
  [' -5', ' -5'],
  [' Ann', ' Ann'],
  ['a\n=b', '"a\n=b"'],
  [-5.5, '-5.5'],
  ["'quoted", "'quoted"],
])('writes %j unchanged', async (value, written) => {
  expect(await cell(value)).toBe(written);
});

it('yields to the event loop while writing many rows', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ id: `${index}` }));
  let turns = 0;
  const count = () => {
    turns += 1;
    pending = setImmediate(count);
  };
  let pending = setImmediate(count);
  const written = await csvOf(['id'], rows);
  clearImmediate(pending);

  expect(turns).toBeGreaterThan(5);
  expect(written.split('\r\n')).toHaveLength(1_002);
});

it('writes a long text in parts with the same result as in one piece', async () => {
  const text = `a"😀,\n${'"😀'.repeat(100_000)}`;
  const rows = [
    { id: '1', text: 'short', more: null },
    { id: '2', text, more: null },
    { id: '3', text: '', more: '=x' },
  ];
  const pieces = await piecesOf(['id', 'text', 'more'], rows);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
  expect(Buffer.concat(pieces).toString()).toBe(
    `id,text,more\r\n1,short,\r\n2,"${text.replaceAll('"', '""')}",\r\n3,,'=x\r\n`,
  );
});
