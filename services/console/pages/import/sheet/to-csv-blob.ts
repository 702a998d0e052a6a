import { InvalidSheet } from './invalid-sheet.ts';
import { readFirstSheet } from './read-workbook.ts';

const PIECE_LENGTH = 1024 * 1024;

/** Converts the first sheet of a spreadsheet to CSV: in UTF-8, with commas, and days as `2030-01-31`. */
export function toCsvBlob(file: Uint8Array): Blob {
  const pieces: Blob[] = [];
  let text = '';
  let width = 0;
  for (const row of readFirstSheet(file)) {
    // The first row names the columns.
    width ||= row.length;
    const cells = Array.from({ length: width }, (_, index) => row[index] ?? '');
    text += `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
    if (text.length < PIECE_LENGTH) continue;
    pieces.push(new Blob([text]));
    text = '';
  }
  if (width === 0) throw new InvalidSheet('empty');
  return new Blob([...pieces, text], { type: 'text/csv' });
}
