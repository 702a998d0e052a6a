/**
 * Clients glue base URLs and paths together carelessly: slashes that follow each other count as one, and one at the
 * end of the path as none. The query stays as it is.
 */
export function normalizeUrl(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const endsWithSlash = path.length > 1 && path.endsWith('/');
  // The absolute form, which proxies use, has its two slashes rightly.
  if ((!endsWithSlash && !path.includes('//')) || !path.startsWith('/')) return url;
  const normal = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return end === -1 ? normal : normal + url.slice(end);
}
