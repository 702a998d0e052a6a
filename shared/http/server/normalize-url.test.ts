import { describe, expect, it } from 'vitest';
import { normalizeUrl } from './normalize-url.ts';

describe('a URL', () => {
  it.each([
    ['/api/v1/Contact', '/api/v1/Contact'],
    ['//api/v1/Contact', '/api/v1/Contact'],
    ['/api/v1//Contact/?a=//b/', '/api/v1/Contact?a=//b/'],
    ['/api/v1/Contact///', '/api/v1/Contact'],
    ['/api/v1/', '/api/v1'],
    ['/', '/'],
    ['////', '/'],
    ['/?x', '/?x'],
    ['http://host/api/v1/Contact', 'http://host/api/v1/Contact'],
    ['*', '*'],
  ])('%s is routed as %s', (url, routed) => {
    expect(normalizeUrl(url)).toBe(routed);
  });
});
