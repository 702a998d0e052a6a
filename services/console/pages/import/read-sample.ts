/** The beginning of a file. */
export interface Sample {
  readonly delimiter: string;
  readonly encoding: 'utf-8' | 'windows-1252';
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_ROWS = 3;

/** Reads the header and the first rows of a CSV file, and guesses its format. */
export async function readSample(file: Blob): Promise<Sample> {
  const bytes = await file.slice(0, SAMPLE_BYTES).arrayBuffer();
  const { text, encoding } = decode(bytes);
  const delimiter = guessDelimiter(text);
  const [header = [], ...rows] = readRows(text, delimiter, SAMPLE_ROWS + 1);
  return { delimiter, encoding, header, rows };
}

/** Spreadsheets of Windows write another encoding than UTF-8. */
function decode(bytes: ArrayBuffer): Pick<Sample, 'encoding'> & { readonly text: string } {
  try {
    // The sample may end within a character.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return { text: decoder.decode(bytes, { stream: true }), encoding: 'utf-8' };
  } catch {
    const encoding = 'windows-1252';
    return { text: new TextDecoder(encoding).decode(bytes), encoding };
  }
}

/** Returns the character that separates most columns of the header. */
function guessDelimiter(text: string): string {
  const counts = [',', ';', '\t', '|'].map((delimiter) => {
    const [header = []] = readRows(text, delimiter, 1);
    return { delimiter, count: header.length };
  });
  return counts.toSorted((one, other) => other.count - one.count)[0]?.delimiter ?? ',';
}

/** Matches a cell and the character after it. */
const cellPattern = (delimiter: string): RegExp => {
  const escaped = delimiter === '\t' ? '\\t' : `\\${delimiter}`;
  return new RegExp(`(?:"((?:[^"]|"")*)"|([^${escaped}\\r\\n]*))(${escaped}|\\r?\\n|$)`, 'y');
};

export function readRows(text: string, delimiter: string, max: number): readonly string[][] {
  const pattern = cellPattern(delimiter);
  const rows: string[][] = [];
  let row: string[] = [];
  while (rows.length < max && pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) break;
    row.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
    if (match[3] === delimiter) continue;
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
