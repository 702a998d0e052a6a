import { describe, expect, it } from 'vitest';
import { readRows, readSample } from './read-sample.ts';

describe('the sample of a file', () => {
  it('has the header, three rows and the format', async () => {
    const file = new Blob([
      'Name;"Web; site"\r\n\r\nA;1\r\nB;"say ""x""\nagain"\r\nC;3\r\nD;4\r\n',
    ]);
    expect(await readSample(file)).toEqual({
      delimiter: ';',
      encoding: 'utf-8',
      header: ['Name', 'Web; site'],
      rows: [
        ['A', '1'],
        ['B', 'say "x"\nagain'],
        ['C', '3'],
      ],
    });
  });

  it('is decoded as Windows does unless it is UTF-8', async () => {
    const ansi = new Blob([Uint8Array.from([0x4d, 0xfc, 0x0a, 0x31])]);
    expect(await readSample(ansi)).toMatchObject({ encoding: 'windows-1252', header: ['Mü'] });
    const cut = `h\n${'a'.repeat(64 * 1024 - 3)}ü`;
    expect(await readSample(new Blob([cut]))).toMatchObject({ encoding: 'utf-8' });
    expect(await readSample(new Blob(['\ufeffh']))).toMatchObject({ header: ['h'], rows: [] });
  });

  it('keeps empty cells, and shows a quote that does not close', () => {
    expect(readRows('a,,c,\n', ',', 9)).toEqual([['a', '', 'c', '']]);
    expect(readRows('a\n"c', ',', 9)).toEqual([['a'], ['"c']]);
    expect(readRows('', ',', 9)).toEqual([]);
  });
});
