import { describe, expect, it } from 'vitest';
import { type CsvFormat, type CsvRow, readCsv } from './read-csv.ts';

const usual: CsvFormat = { delimiter: ',', quote: '"', encoding: 'utf-8', hasHeader: true };

async function read(file: string | readonly Buffer[], format: Partial<CsvFormat> = {}) {
  const pieces = typeof file === 'string' ? [Buffer.from(file)] : file;
  const rows: CsvRow[] = [];
  for await (const slice of readCsv(pieces, { ...usual, ...format })) rows.push(...slice);
  return rows.map(({ index, cells }) => [index, ...cells]);
}

describe('a CSV file', () => {
  it('has a row for each line after the header, without empty lines', async () => {
    expect(await read('\ufeffa,b\r\n1,"x ""y""\nz"\r\n\r\n2\r\n')).toEqual([
      [0, '1', 'x "y"\nz'],
      [1, '2'],
    ]);
    expect(await read("1;'a;b'", { delimiter: ';', quote: "'", hasHeader: false })).toEqual([
      [0, '1', 'a;b'],
    ]);
    expect(await read('a,b')).toEqual([]);
  });

  it('is decoded across the borders of its pieces', async () => {
    const bytes = Buffer.from('h\nÄ€😀\n');
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await read(pieces)).toEqual([[0, 'Ä€😀']]);
    expect(await read([Buffer.from('h\nÄ\n', 'utf16le')], { encoding: 'utf-16le' })).toEqual([
      [0, 'Ä'],
    ]);
  });

  it('is rejected if it is not valid, or exceeds the limits', async () => {
    await expect(read([Buffer.from('h\nÄ\n', 'latin1')])).rejects.toThrow(
      'is not text in the encoding utf-8',
    );
    await expect(read('h\n"a')).rejects.toThrow('A quoted text in line 2 does not end.');
    await expect(read('h\n"a"b,c')).rejects.toThrow('is not valid CSV in line 2');
    await expect(read(`h\n${','.repeat(500)}`)).rejects.toThrow('Row 1 has 501 columns.');
    await expect(read(`h\n${'a'.repeat(1_100_000)}`)).rejects.toThrow(
      'has more than 1048576 bytes',
    );
    await expect(read(`h\n${'a\n'.repeat(100_001)}`)).rejects.toThrow('has more than 100000 rows');
  });

  it('throws the error of its source', async () => {
    async function* broken() {
      yield Buffer.from('h\na\n');
      throw new Error('no connection');
    }
    await expect(readCsv(broken(), usual).next()).rejects.toThrow('no connection');
  });
});
