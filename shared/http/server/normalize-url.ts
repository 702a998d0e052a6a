/**
 * Collapses repeated slashes in the path and removes a trailing one, because clients concatenate base URLs and paths
 * carelessly. The query is not changed.
 */
export function normalizeUrl(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const endsWithSlash = path.length > 1 && path.endsWith('/');
  // The absolute form, which proxies use, keeps its two slashes.
  if ((!endsWithSlash && !path.includes('//')) || !path.startsWith('/')) return url;
  const normal = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return end === -1 ? normal : normal + url.slice(end);
}
