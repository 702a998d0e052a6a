import { Readable } from 'node:stream';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createLocalClock } from '../../../shared/domain/value/date-time.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { SheetColumn } from './sheet-xml.ts';
import { toXlsx } from './to-xlsx.ts';

const column = (name: string, kind: SheetColumn['kind'] = 'string'): SheetColumn => ({
  name,
  kind,
  label: `Label of ${name}`,
});

async function* slicesOf(rows: readonly Row[]) {
  yield rows.slice(0, 1);
  yield rows.slice(1);
}

function piecesOf(columns: readonly SheetColumn[], rows: readonly Row[], zone = 'Europe/Berlin') {
  const sheet = { name: 'Opportunities & [more]', columns, clock: createLocalClock(zone) };
  return Readable.from(toXlsx(sheet, slicesOf(rows)));
}

async function partsOf(columns: readonly SheetColumn[], rows: readonly Row[], zone?: string) {
  const bytes = Buffer.concat(await piecesOf(columns, rows, zone).toArray());
  const parts = Object.entries(unzipSync(bytes));
  return Object.fromEntries(parts.map(([path, content]) => [path, strFromU8(content)]));
}

async function cellOf(value: unknown, kind: SheetColumn['kind'], zone?: string) {
  const parts = await partsOf([column('x', kind)], [{ x: value }], zone);
  const [, row = ''] =
    /<row r="2">(.*)<\/row>/s.exec(parts['xl/worksheets/sheet1.xml'] ?? '') ?? [];
  return row;
}

const inline = (text: string) =>
  `<c r="A2" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;

describe('a spreadsheet', () => {
  it('has one sheet with the labels and the records', async () => {
    const columns = [column('name'), column('amount', 'float'), column('more')];
    const parts = await partsOf(columns, [
      { name: 'One', amount: 1.5, more: null },
      { name: 'Two', amount: null, more: 'x' },
    ]);
    expect(Object.keys(parts)).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    expect(parts['xl/workbook.xml']).toContain('<sheet name="Opportunities &amp;  more"');
    const sheet = parts['xl/worksheets/sheet1.xml'];
    expect(sheet).toContain('<row r="1"><c r="A1" t="inlineStr" s="1">');
    expect(sheet).toContain('Label of amount');
    expect(sheet).toContain('<c r="B2"><v>1.5</v></c></row>');
    expect(sheet).toMatch(/<row r="3"><c r="A3" .*<c r="C3" .*<\/row><\/sheetData>/s);
  });

  it.each([
    [12, 'int', '<c r="A2"><v>12</v></c>'],
    [true, 'bool', '<c r="A2" t="b"><v>1</v></c>'],
    ['10.2000', 'decimal', '<c r="A2"><v>10.2</v></c>'],
    ['1234567890123.4567', 'decimal', inline('1234567890123.4567')],
    [1_234_567_890_123_456, 'int', inline('1234567890123456')],
    ['2030-01-31', 'date', '<c r="A2" s="2"><v>47514</v></c>'],
    ['1900-02-28', 'date', inline('1900-02-28')],
    ['2030-01-31 11:00:00', 'datetime', '<c r="A2" s="3"><v>47514.5</v></c>'],
    ['2030-07-31 10:00:00', 'datetime', '<c r="A2" s="3"><v>47695.5</v></c>'],
    [['a', 'b'], 'strings', inline('a, b')],
    [['a', 'b,c'], 'strings', inline('[&quot;a&quot;,&quot;b,c&quot;]')],
    [{ a: 1 }, 'json', inline('{&quot;a&quot;:1}')],
    ['=1+1 <b>&', 'string', inline('=1+1 &lt;b&gt;&amp;')],
    ['a\u0000b\ud800_x0041_', 'string', inline('ab\ufffd_x005F_x0041_')],
    ['2030-01-31', 'string', inline('2030-01-31')],
    ['', 'string', ''],
  ] as const)('writes %j of kind %s as a cell of its kind', async (value, kind, cell) => {
    expect(await cellOf(value, kind)).toBe(cell);
  });

  it('cuts texts that are too long for a cell', async () => {
    expect((await cellOf('x'.repeat(40_000), 'string')).length).toBeLessThan(33_000);
  });

  it('shows times by the clock of the time zone', async () => {
    const time = '2030-01-31 12:00:00';
    expect(await cellOf(time, 'datetime', 'UTC')).toContain('<v>47514.5</v>');
    expect(await cellOf(time, 'datetime', 'America/New_York')).toMatch(/<v>47514\.29166/);
  });

  it('is produced in small pieces, the same each time, while other work continues', async () => {
    const columns = Array.from({ length: 30 }, (_, index) => column(`column${index}`));
    const rows = Array.from({ length: 5_000 }, (_, index) =>
      Object.fromEntries(columns.map(({ name }) => [name, `${name} ${index * 7919}`])),
    );
    let turns = 0;
    const count = () => {
      turns += 1;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    const pieces: Buffer[] = await piecesOf(columns, rows).toArray();
    clearImmediate(pending);
    expect(turns).toBeGreaterThan(50);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
    const again = Buffer.concat(await piecesOf(columns, rows).toArray());
    expect(again.equals(Buffer.concat(pieces))).toBe(true);
  });
});
