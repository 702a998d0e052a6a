import { expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';
import { toRejectedCsv } from './rejected-file.ts';

const format = { delimiter: ';', quote: '"', encoding: 'utf-8', hasHeader: false };

async function rejectedIn(file: string, hasHeader: boolean): Promise<string> {
  const reason = {
    code: 'record.invalid',
    message: 'name, "x"',
    fields: [{ field: 'name', type: 'required' }],
  } as const;
  const tally = { rejected: new Map([[1, reason]]), skipped: new Set([2]) };
  const pieces = toRejectedCsv(
    readCsv([Buffer.from(file)], format),
    { hasHeader, attributes: ['name', null] },
    tally,
  );
  let text = '';
  for await (const piece of pieces) text += piece.toString();
  return text;
}

it('contains the header, and the rejected and skipped rows with their reasons', async () => {
  const rows = 'Acme;1\n;2\nOld\nNew;4\n';
  const expected = [
    ',2,2,"name, ""x""",record.invalid,name:required',
    'Old,,3,A record with the same name or e-mail address exists.,record.duplicate,',
    '',
  ];
  expect((await rejectedIn(`n;w\n${rows}`, true)).split('\r\n')).toEqual([
    'n,w,Row,Error,Code,Fields',
    ...expected,
  ]);
  expect((await rejectedIn(rows, false)).split('\r\n')).toEqual([
    'name,,Row,Error,Code,Fields',
    ...expected,
  ]);
});
