/** Types that browsers show as a picture and run no script in. SVG can have scripts. */
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

/** Types that a browser treats as a page, or as part of one, in which scripts run. */
const activeType = /^(?:text|application)\/(?:[\w.+-]*(?:html|xml|javascript|ecmascript))$|\+xml$/;

/** The type that a file is sent with: never one that a browser could run. */
export function harmlessType(type: string): string {
  return activeType.test(type) ? 'application/octet-stream' : type;
}

/** Whether the file has one of the wanted types or name endings; true if none are wanted. */
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
