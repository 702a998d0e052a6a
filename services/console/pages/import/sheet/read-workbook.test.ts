import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { InvalidSheet } from './invalid-sheet.ts';
import { readFirstSheet } from './read-workbook.ts';
import { toCsvBlob } from './to-csv-blob.ts';

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;

/** Returns a spreadsheet with these rows in its second sheet; the first sheet is hidden. */
function workbook(rows: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const files = {
    'xl/workbook.xml':
      '<workbook><workbookPr/><sheets><sheet name="a" sheetId="1" state="hidden" r:id="rId1"/>' +
      '<sheet name="b" sheetId="2" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId1', 'worksheet', 'worksheets/hidden.xml')}${relation(
      'rId2',
      'worksheet',
      '/xl/worksheets/sheet2.xml',
    )}${relation('rId3', 'styles', 'styles.xml')}${relation('rId4', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/worksheets/hidden.xml': '<sheetData><row><c><v>1</v></c></row></sheetData>',
    'xl/worksheets/sheet2.xml': `<worksheet><cols><col min="1"/></cols><sheetData>${rows}</sheetData></worksheet>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy&quot; x&quot;"/>' +
      '<numFmt numFmtId="165" formatCode="[Red]0.00&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/>' +
      '</cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml':
      '<sst><si><t>Tom &amp; &#x4A;erry</t></si><si><r><t>rich </t></r><r><t xml:space="preserve">text</t></r>' +
      '<rPh sb="0"><t>hint</t></rPh></si><si/></sst>',
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([k, v]) => [k, strToU8(v)])));
}

const rowsOf = (file: Uint8Array, maxBytes?: number) => [...readFirstSheet(file, maxBytes)];

function problemOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as InvalidSheet).problem;
  }
}

describe('readFirstSheet', () => {
  it('reads shared, formatted, inline and calculated texts of the first visible sheet', () => {
    const row =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>a_x000A_b</t></is></c>' +
      '<c r="E1" t="str"><f>"x"&amp;1</f><v>x1</v></c><c r="F1" t="e"><v>#N/A</v></c><c r="G1" t="s"><v>2</v></c></row>';
    expect(rowsOf(workbook(row))).toEqual([['Tom & Jerry', 'rich text', '', 'a\nb', 'x1', '', '']]);
  });

  it('reads numbers, dates, times and yes or no', () => {
    const cell = (value: string, more = '') => `<c ${more}><v>${value}</v></c>`;
    const row = `<row>${cell('19.989999999999998')}${cell('1E-3')}${cell('47514', 's="1"')}${cell('47514.586805555555', 's="2"')}${cell(
      '0.5',
      's="1"',
    )}${cell('3', 's="3"')}${cell('1', 't="b"')}${cell('2030-01-31T00:00:00Z', 't="d"')}</row>`;
    expect(rowsOf(workbook(row))).toEqual([
      [
        '19.99',
        '0.001',
        '2030-01-31',
        '2030-01-31 14:05',
        '12:00',
        '3',
        'true',
        '2030-01-31 00:00:00',
      ],
    ]);
    const in1904 = {
      'xl/workbook.xml':
        '<workbook><workbookPr date1904="1"/><sheets><sheet name="b" sheetId="2" r:id="rId2"/></sheets></workbook>',
    };
    expect(rowsOf(workbook(`<row>${cell('46052', 's="1"')}</row>`, in1904))).toEqual([
      ['2030-01-31'],
    ]);
  });

  it('omits empty rows', () => {
    const rows =
      '<row r="1"/><row r="2"><c r="A2" s="1"/></row><row r="3"><c r="B3"><v>7</v></c></row>';
    expect(rowsOf(workbook(rows))).toEqual([['', '7']]);
  });

  it('rejects files that are not spreadsheets', () => {
    expect(problemOf(() => rowsOf(strToU8('name,website')))).toBe('notSheet');
    expect(problemOf(() => rowsOf(zipSync({ 'a.txt': strToU8('a') })))).toBe('notSheet');
    expect(problemOf(() => rowsOf(workbook('').subarray(0, 300)))).toBe('notSheet');
  });

  it('rejects a file that would expand too far, also if it names a smaller size', () => {
    const row = `<row><c t="str"><v>${'x'.repeat(1_000_000)}</v></c></row>`;
    const file = workbook(row);
    expect(file.length).toBeLessThan(10_000);
    expect(problemOf(() => rowsOf(file, 100_000))).toBe('tooLarge');
    expect(rowsOf(file, 2_000_000)).toHaveLength(1);

    const forged = forgeSizes(file, 5_000);
    const cells =
      problemOf(() => rowsOf(forged, 100_000)) ?? rowsOf(forged, 100_000).flat().join('');
    expect(cells.length).toBeLessThan(10_000);
  });
});

/** Writes a smaller expanded size than the real one into each header of a ZIP archive. */
function forgeSizes(file: Uint8Array, bytes: number): Uint8Array {
  const forged = file.slice();
  const view = new DataView(forged.buffer);
  for (let at = 0; at < forged.length - 46; at += 1) {
    const signature = view.getUint32(at, true);
    const place =
      signature === 0x02014b50 ? at + 24 : signature === 0x04034b50 ? at + 22 : undefined;
    if (place !== undefined && view.getUint32(place, true) > bytes) {
      view.setUint32(place, bytes, true);
    }
  }
  return forged;
}

describe('toCsvBlob', () => {
  it('quotes cells, and gives each row the columns of the first one', async () => {
    const text = (value: string) => `<c t="str"><v>${value}</v></c>`;
    const rows = [
      `<row>${text('Name')}${text('Site')}</row>`,
      `<row>${text('a "b", c')}</row>`,
      `<row>${text('x')}${text('y')}${text('beyond')}</row>`,
    ];
    expect(await toCsvBlob(workbook(rows.join(''))).text()).toBe(
      '"Name","Site"\r\n"a ""b"", c",""\r\n"x","y"\r\n',
    );
    expect(problemOf(() => toCsvBlob(workbook('')))).toBe('empty');
  });
});
