import { attributesIn, elementsIn, textOf, unescapeXml } from './read-xml.ts';

interface Workbook {
  /** The texts that cells refer to. */
  readonly texts: readonly string[];
  /** Indexes of the styles that show a number as a date or a time. */
  readonly dateStyles: ReadonlySet<string>;
  readonly startsIn1904: boolean;
}

/** Returns a function that returns the texts of a row's cells, at the places of their columns. */
export function createCellReader(workbook: Workbook): (row: string) => readonly string[] {
  return (row) => {
    const cells: string[] = [];
    for (const { attributes, content } of elementsIn(row, 'c')) {
      const cell = attributesIn(attributes);
      const column = columnOf(cell['r'] ?? '') ?? cells.length;
      while (cells.length < column) cells.push('');
      cells[column] = textOfCell(cell, content, workbook).trim();
    }
    return cells;
  };
}

/** Spreadsheets have at most as many columns. */
const MAX_COLUMNS = 16_384;

/** Returns the index of a column: 0 for A, 26 for AA. */
function columnOf(place: string): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(place) ?? [];
  if (letters === undefined) return undefined;
  const index = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return Math.min(index, MAX_COLUMNS - 1);
}

function textOfCell(
  { t: type = 'n', s: style = '' }: Readonly<Record<string, string>>,
  content: string,
  { texts, dateStyles, startsIn1904 }: Workbook,
): string {
  if (type === 'inlineStr') return textOf(content);
  const [element] = elementsIn(content, 'v');
  const value = unescapeXml(element?.content ?? '');
  switch (type) {
    case 's':
      return texts[Number(value)] ?? '';
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'd':
      return value.replace('T', ' ').replace(/(?:\.\d+)?Z?$/, '');
    case 'e':
      return '';
    case 'n':
      if (value === '') return '';
      return dateStyles.has(style) ? dateText(Number(value), startsIn1904) : numberText(value);
    default:
      return value;
  }
}

/** Files contain numbers with 17 digits, such as 19.989999999999998, of which spreadsheets show 15. */
function numberText(value: string): string {
  const number = Number(value);
  return Number.isNaN(number) ? value : String(Number(number.toPrecision(15)));
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Writes a number of days since the epoch of the file as `2030-01-31`, `2030-01-31 14:05` or, below one, as `14:05`. */
function dateText(days: number, startsIn1904: boolean): string {
  const epoch = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const ms = Math.round((days * DAY_MS) / MINUTE_MS) * MINUTE_MS;
  const date = new Date(epoch + ms);
  if (Number.isNaN(date.getTime())) return '';
  const text = date.toISOString().slice(0, 16).replace('T', ' ');
  if (days >= 0 && days < 1) return text.slice(11);
  return ms % DAY_MS === 0 ? text.slice(0, 10) : text;
}

/** Returns the indexes of the cell styles that show dates or times. */
export function readDateStyles(styles: string): ReadonlySet<string> {
  const custom = new Map(
    [...elementsIn(styles, 'numFmt')].map((one) => {
      const { numFmtId = '', formatCode = '' } = attributesIn(one.attributes);
      return [numFmtId, isDateFormat(formatCode)] as const;
    }),
  );
  const [cellFormats] = elementsIn(styles, 'cellXfs');
  const formats = [...elementsIn(cellFormats?.content ?? '', 'xf')].map(
    (one) => attributesIn(one.attributes)['numFmtId'] ?? '',
  );
  const isDate = (id: string) => custom.get(id) ?? isShippedDateFormat(Number(id));
  return new Set(formats.flatMap((id, index) => (isDate(id) ? [String(index)] : [])));
}

function isShippedDateFormat(id: number): boolean {
  return (
    (id >= 14 && id <= 22) ||
    (id >= 27 && id <= 36) ||
    (id >= 45 && id <= 58 && id !== 48 && id !== 49)
  );
}

/** True for formats with days, months, years, hours, minutes or seconds outside of texts, colors and conditions. */
function isDateFormat(code: string): boolean {
  const [first = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';');
  return /[dhmsy]/i.test(first.replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, ''));
}
