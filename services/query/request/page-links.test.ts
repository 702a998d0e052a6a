import { describe, expect, it } from 'vitest';
import { pageLinks } from './page-links.ts';

const url = '/api/v1/Account?select=name&offset=20&maxSize=10';
const linksOf = (page: { offset: number; maxSize?: number; total: number; url?: string }) =>
  pageLinks({ url, maxSize: 10, ...page, list: { total: page.total, list: [] } });
const at = (offset: number) => `</api/v1/Account?select=name&maxSize=10&offset=${offset}>`;

describe('the Link header of a list', () => {
  it('links the pages around a page in the middle', () => {
    expect(linksOf({ offset: 20, total: 45 })).toBe(
      `${at(0)}; rel="first", ${at(10)}; rel="prev", ${at(30)}; rel="next", ${at(40)}; rel="last"`,
    );
  });

  it('does not link pages that do not exist', () => {
    expect(linksOf({ offset: 0, total: 10 })).toBe(`${at(0)}; rel="first", ${at(0)}; rel="last"`);
    expect(linksOf({ offset: 5, total: 12 })).toContain(`${at(0)}; rel="prev"`);
    expect(linksOf({ offset: 0, total: 0 })).toBe(`${at(0)}; rel="first"`);
  });

  it('keeps the query except the offset', () => {
    const requested = '/api/v1/Account?textFilter=what?&offset[]=5&offset%5B0%5D=7&select=name';
    expect(linksOf({ offset: 0, total: 10, url: requested })).toContain(
      '</api/v1/Account?textFilter=what?&select=name&offset=0>; rel="first"',
    );
  });

  it('links the next page of an uncounted list if more records follow', () => {
    expect(linksOf({ offset: 10, total: -1 })).toContain('rel="next"');
    expect(linksOf({ offset: 10, total: -2 })).not.toContain('rel="next"');
    expect(linksOf({ offset: 10, total: -1 })).not.toContain('rel="last"');
  });

  it('is omitted if no page can be linked', () => {
    expect(linksOf({ offset: 0, maxSize: 0, total: 5 })).toBeUndefined();
    const json = '/api/v1/Account?searchParams=%7B%22maxSize%22%3A5%7D';
    expect(linksOf({ offset: 0, total: 5, url: json })).toBeUndefined();
  });

  it('omits relations until it fits into 2 KiB but keeps the next page longest', () => {
    const relationsAt = (ids: number) => {
      const where = `where[0][value]=${'x'.repeat(ids)}`;
      const header = linksOf({ offset: 20, total: 45, url: `/api/v1/Account?${where}` });
      expect(Buffer.byteLength(header ?? '')).toBeLessThanOrEqual(2_048);
      return header?.match(/(?<=rel=")\w+/g)?.join(' ');
    };
    expect(relationsAt(400)).toBe('first prev next last');
    expect(relationsAt(500)).toBe('first prev next');
    expect(relationsAt(800)).toBe('prev next');
    expect(relationsAt(1_500)).toBe('next');
    expect(relationsAt(2_000)).toBeUndefined();
  });
});
