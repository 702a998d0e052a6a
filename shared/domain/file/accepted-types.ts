/** Types that browsers show as a picture without running scripts. SVG is excluded because it can contain scripts. */
const imageTypes: ReadonlySet<string> = new Set([
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
]);

export function isImageType(type: string): boolean {
  return imageTypes.has(type);
}

/** Types that a browser treats as a document or script, in which code could run. */
const activeType = /^(?:text|application)\/(?:[\w.+-]*(?:html|xml|javascript|ecmascript))$|\+xml$/;

/** Returns the type with which a file is served: never one that a browser could run. */
export function harmlessType(type: string): string {
  return activeType.test(type) ? 'application/octet-stream' : type;
}

/** True if the file has one of the accepted types or extensions, or if the list is empty. */
export function isAccepted(
  accept: readonly string[],
  { type, name }: { readonly type: string; readonly name: string },
): boolean {
  if (accept.length === 0) return true;
  return accept.some((wanted) => {
    if (wanted.startsWith('.')) return name.toLowerCase().endsWith(wanted.toLowerCase());
    return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
  });
}
