import { strFromU8, unzipSync } from 'fflate';
import { InvalidSheet } from './invalid-sheet.ts';
import { createCellReader, readDateStyles } from './read-cells.ts';
import { attributesIn, elementsIn, textOf } from './read-xml.ts';

/**
 * A small file can expand to many gigabytes. The parts of a sheet with a hundred thousand rows and forty columns have
 * about 200 MiB.
 */
const MAX_EXPANDED_BYTES = 250 * 1024 * 1024;

const MAIN = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

/** Returns the rows of the first visible sheet of a spreadsheet (Office Open XML), without empty rows. */
export function* readFirstSheet(
  file: Uint8Array,
  maxBytes = MAX_EXPANDED_BYTES,
): Generator<readonly string[]> {
  const outline = expand(file, new Set([MAIN, RELATIONS]), maxBytes);
  const workbook = outline.get(MAIN) ?? '';
  const relations = [...elementsIn(outline.get(RELATIONS) ?? '', 'Relationship')].map(
    ({ attributes }) => attributesIn(attributes),
  );
  const pathOf = (name: 'Id' | 'Type', isMatch: (value: string) => boolean): string => {
    const target = relations.find((one) => isMatch(one[name] ?? ''))?.['Target'] ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  };
  const sheets = [...elementsIn(workbook, 'sheet')].map((one) => attributesIn(one.attributes));
  const visible = sheets.find(({ state = 'visible' }) => state === 'visible');
  if (visible === undefined) throw new InvalidSheet('notSheet');
  const [, id] = Object.entries(visible).find(([name]) => name.endsWith(':id')) ?? [];
  const sheetPath = pathOf('Id', (one) => one === id);
  const textsPath = pathOf('Type', (type) => type.endsWith('/sharedStrings'));
  const stylesPath = pathOf('Type', (type) => type.endsWith('/styles'));
  const parts = expand(file, new Set([sheetPath, textsPath, stylesPath]), maxBytes);
  const sheet = parts.get(sheetPath);
  if (sheet === undefined) throw new InvalidSheet('notSheet');
  const readCells = createCellReader({
    texts: [...elementsIn(parts.get(textsPath) ?? '', 'si')].map(({ content }) => textOf(content)),
    dateStyles: readDateStyles(parts.get(stylesPath) ?? ''),
    startsIn1904: /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(workbook),
  });
  for (const { content } of elementsIn(sheet, 'row')) {
    const cells = readCells(content);
    if (cells.some((cell) => cell !== '')) yield cells;
  }
}

/** Returns the texts of some parts of a ZIP archive. */
function expand(
  file: Uint8Array,
  paths: ReadonlySet<string>,
  maxBytes: number,
): ReadonlyMap<string, string> {
  let bytes = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    if (!paths.has(name)) return false;
    // A part never expands beyond the size that the archive names.
    bytes += originalSize;
    if (bytes > maxBytes) throw new InvalidSheet('tooLarge');
    return true;
  };
  try {
    const parts = Object.entries(unzipSync(file, { filter }));
    return new Map(parts.map(([name, content]) => [name, strFromU8(content)]));
  } catch (error) {
    throw error instanceof InvalidSheet ? error : new InvalidSheet('notSheet');
  }
}
