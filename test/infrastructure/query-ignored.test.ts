import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { storeExampleRecords } from './query-example-records.ts';

let example: QueryExample;
const ignoredBy = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await example.get(path, headers);
  expect(answer.status).toBe(200);
  return answer.headers['x-ignored-attributes'];
};

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await storeExampleRecords(example);
});
afterAll(async () => example.close());

describe('a misspelled attribute', () => {
  it.each([
    ['/Account?select=nmae,website', 'nmae'],
    ['/Account?attributeSelect=name,Website', 'Website'],
    ['/Account?select[]=nmae&select[]=a%20b', 'nmae, a%20b'],
    [`/Account?searchParams=${encodeURIComponent('{"select":["id","nmae"]}')}`, 'nmae'],
    ['/Account?select=nmae&where[0][type]=isNotNull&where[0][attribute]=name', 'nmae'],
    ['/Account/a1?select=nmae', 'nmae'],
    ['/Account/a1/contacts?select=firstNmae,firstName', 'firstNmae'],
    ['/Stream?sortBy=nubmer&select=psot', 'psot, nubmer'],
    ['/GlobalSearch?q=acme&select=nmae', 'nmae'],
  ])('is ignored and named in the response to %s', async (path, ignored) => {
    expect(await ignoredBy(path)).toBe(ignored);
  });

  it.each([
    '/Account',
    '/Account?select=',
    '/Account?select=id,name,deleted,versionNumber,teamsIds,emailAddressData',
    '/Account/a1?select=name',
    '/Account/a1/contacts?select=firstName',
  ])('is not reported for the correct request %s', async (path) => {
    expect(await ignoredBy(path)).toBeUndefined();
  });

  it('is reported up to a limit', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `unknown-${index}`);
    const ignored = await ignoredBy(`/Account?select=${many.join()},${'x'.repeat(200)}`);
    expect(String(ignored).split(', ').length).toBeLessThanOrEqual(50);
    const odd = await ignoredBy(`/Account?select=${encodeURIComponent('a\r\nX-Other: 1')}`);
    expect(odd).toBe('a%0D%0AX-Other%3A%201');
  });

  it.each([
    '/Account?orderBy=nmae',
    '/Account/a1/contacts?orderBy=firstNmae',
    '/Account?where[0][type]=isNull&where[0][attribute]=nmae',
    '/Account?where[0][type]=or&where[0][value][0][type]=isNull&where[0][value][0][attribute]=nmae',
    '/Account/a1/contacts?where[0][type]=isNull&where[0][attribute]=nmae',
    '/Account?primaryFilter=csutomers',
    '/Account?boolFilterList[]=onlyMny',
    '/Account/a1/history?where[0][type]=isNull&where[0][attribute]=at',
  ])('is rejected outside a selection: %s', async (path) => {
    expect((await example.get(path)).status).toBe(400);
  });
});
