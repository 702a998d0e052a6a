import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import type { LocalClock } from '../../../shared/domain/value/date-time.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import { escapeXml, headerXml, rowXml, type SheetColumn } from './sheet-xml.ts';

interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Shows the times, which have no time zone in a spreadsheet. */
  readonly clock: LocalClock;
}

/**
 * The number of characters that are compressed in one turn of the event loop. This takes about 5 ms, during which the
 * process serves no other request.
 */
const TURN_LENGTH = 128 * 1024;

/** Produces a spreadsheet (Office Open XML) with one sheet and a header row, in chunks. */
export async function* toXlsx(
  sheet: Sheet,
  slices: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Buffer> {
  const archive = createArchive();
  for (const [path, content] of partsAround(sheet)) archive.open(path).write(content, true);
  const { columns } = sheet;
  const part = archive.open('xl/worksheets/sheet1.xml');
  let xml = sheetStart(columns) + headerXml(columns);
  let number = 1;
  for await (const rows of slices) {
    for (const row of rows) {
      number += 1;
      xml += rowXml(
        number,
        columns.map(({ name }) => row[name]),
        sheet,
      );
      if (xml.length < TURN_LENGTH) continue;
      await letOthersRun();
      part.write(xml, false);
      xml = '';
      yield archive.take();
    }
  }
  part.write(`${xml}</sheetData></worksheet>`, true);
  archive.end();
  yield archive.take();
}

/** Compresses files into a ZIP archive. Each file must be complete before the next one is opened. */
function createArchive() {
  let pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const encoder = new TextEncoder();
  return {
    open(path: string) {
      const file = new ZipDeflate(path, { level: 3 });
      // The same records always result in the same bytes.
      file.mtime = '2000-01-01T00:00:00';
      zip.add(file);
      return {
        write: (content: string, isLast: boolean) => file.push(encoder.encode(content), isLast),
      };
    },
    end: () => zip.end(),
    /** Returns the bytes since the last call. */
    take(): Buffer {
      const taken = Buffer.concat(pieces);
      pieces = [];
      return taken;
    },
  };
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of the file other than the sheet. */
function partsAround({ name }: Sheet): readonly (readonly [path: string, content: string])[] {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (...all: readonly string[]) =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
  const override = (path: string, type: string) =>
    `<Override PartName="/${path}" ContentType="${TYPES}.${type}+xml"/>`;
  return [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        override('xl/workbook.xml', 'sheet.main') +
        override('xl/styles.xml', 'styles') +
        `${override('xl/worksheets/sheet1.xml', 'worksheet')}</Types>`,
    ],
    ['_rels/.rels', relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
        `<sheet name="${escapeXml(sheetName(name))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('rId2', 'styles', 'styles.xml'),
      ),
    ],
    ['xl/styles.xml', stylesXml],
  ];
}

/** Formats in the order of their use in cells: text, header, day, time. Spreadsheets show 14 and 22 as the user expects. */
const stylesXml =
  `${XML}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="22" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '</styleSheet>';

/** Sheets cannot have these characters in their names, or longer names. */
function sheetName(name: string): string {
  const allowed = name
    .replaceAll(/[[\]:*?/\\]|^'+|'+$/g, ' ')
    .trim()
    .slice(0, 31);
  return allowed === '' ? 'Export' : allowed;
}

function sheetStart(columns: readonly SheetColumn[]): string {
  const widths = columns.map(({ kind }, index) => {
    const width = kind === 'string' || kind === 'strings' || kind === 'json' ? 28 : 18;
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return (
    `${XML}<worksheet xmlns="${MAIN}">` +
    `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `<cols>${widths.join('')}</cols><sheetData>`
  );
}
