import { describe, expect, it } from 'vitest';
import { FirstSegments } from './first-segments.ts';

const segments = new FirstSegments();
for (const url of [
  '/api/v1/:entity',
  '/api/v1/:entity/:id/:link',
  '/api/v1/Lead/action/convert',
  '/api/v1/Note/:id/pin',
  '/api/v1/App/user',
  '/api/v1/Action',
  '/api/v1/I18n',
  '/livez',
]) {
  segments.add(url);
}

describe('a URL whose first segment is fixed in a route', () => {
  it.each([
    ['/api/v1/lead/action/convert', '/api/v1/Lead/action/convert'],
    ['/api/v1/leads/action/convert', '/api/v1/Lead/action/convert'],
    ['/api/v1/notes/n1/pin?a=/b', '/api/v1/Note/n1/pin?a=/b'],
    ['/api/v1/app/user', '/api/v1/App/user'],
    ['/api/v1/i18n?default=true', '/api/v1/I18n?default=true'],
    ['/api/v1/lead?select=id', '/api/v1/Lead?select=id'],
  ])('%s is routed as %s', (url, routed) => {
    expect(segments.spell(url)).toBe(routed);
  });

  it.each([
    '/api/v1/Lead/action/convert',
    '/api/v1/lEAD/action/convert',
    '/api/v1/LEADS/action/convert',
    '/api/v1/leads',
    '/api/v1/leads/l1/cases',
    '/api/v1/actions',
    '/api/v1/contact/c1',
    '/api/v1/',
    '/lead/action/convert',
  ])('%s is not changed', (url) => {
    expect(segments.spell(url)).toBe(url);
  });
});
