import { expect, it } from 'vitest';
import type { LabelLanguage } from '../../../shared/domain/entity/labels/labels.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { accountDefinition } from '../../../shared/domain/entity/stock/account.ts';
import { readCsv } from './read-csv.ts';
import { toRejectedCsv, withCodes, withReasons } from './rejected-file.ts';

const format = { delimiter: ';', quote: '"', encoding: 'utf-8', hasHeader: false };
const rows = 'Acme;1\n;2\nOld;"x;y"\nNew;4\n';

async function rejectedIn(
  file: string,
  { hasHeader, language }: { readonly hasHeader: boolean; readonly language?: LabelLanguage },
): Promise<readonly string[]> {
  const reason = {
    code: 'record.invalid',
    message: 'emailAddress is wrong.',
    fields: [{ field: 'name', type: 'required' }],
    problems: [
      { field: 'name', type: 'required', message: 'name is required.' },
      {
        field: 'emailAddress',
        type: 'maxLength',
        parameters: { maxLength: 255 },
        message: 'emailAddress is too long.',
      },
    ],
  } as const;
  const tally = { rejected: new Map([[1, reason]]), skipped: new Set([2]) };
  const columns =
    language === undefined ? withCodes : withReasons(buildEntityModel(accountDefinition), language);
  const layout = { delimiter: ';', quote: '"', hasHeader, attributes: ['name', null], ...columns };
  let text = '';
  const pieces = toRejectedCsv(readCsv([Buffer.from(file)], format), layout, tally);
  for await (const piece of pieces) text += piece.toString();
  return text.split('\r\n');
}

it('contains the header, and the rejected and skipped rows with their reasons, with the delimiter of the source', async () => {
  const expected = [
    ';2;2;Name is required. Email address can have up to 255 characters.',
    'Old;"x;y";3;A record with the same name or e-mail address exists.',
    '',
  ];
  const english = { language: 'en' } as const;
  expect(await rejectedIn(`n;w\n${rows}`, { ...english, hasHeader: true })).toEqual([
    'n;w;Row;Reason',
    ...expected,
  ]);
  expect(await rejectedIn(rows, { ...english, hasHeader: false })).toEqual([
    'name;;Row;Reason',
    ...expected,
  ]);
});

it('has codes in a fixed format for the API', async () => {
  expect((await rejectedIn(rows, { hasHeader: false })).slice(0, 2)).toEqual([
    'name,,Row,Error,Code,Fields',
    ',2,2,emailAddress is wrong.,record.invalid,name:required',
  ]);
});

it('has the header and the reasons in the language of the user', async () => {
  expect(await rejectedIn(`n;w\n${rows}`, { language: 'de', hasHeader: true })).toEqual([
    'n;w;Zeile;Grund',
    ';2;2;Name ist ein Pflichtfeld. E-Mail-Adresse darf höchstens 255 Zeichen lang sein.',
    expect.stringMatching(/^Old;"x;y";3;Es gibt bereits einen Datensatz/),
    '',
  ]);
});
