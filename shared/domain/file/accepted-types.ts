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

/** Returns the type with which a file is served: never a type that a browser could run. */
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

export interface DataUrl {
  /** The media type without parameters; undefined if the URL has none. */
  readonly type: string | undefined;
  readonly data: Buffer;
}

const headForm = /^data:([^,;]*)(?:;[^,;]*)*;base64$/i;
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/;
/** MIME encoders insert line breaks into base64. */
const lineBreaks = /[\r\n]+/g;
const MAX_HEAD_LENGTH = 500;

/**
 * Parses `data:text/plain;base64,aGk=` (RFC 2397). Returns undefined for anything else, including data that is not in
 * base64.
 */
export function readDataUrl(url: string): DataUrl | undefined {
  const comma = url.slice(0, MAX_HEAD_LENGTH).indexOf(',');
  const head = headForm.exec(url.slice(0, Math.max(0, comma)));
  if (head === null) return undefined;
  const text = url.slice(comma + 1).replaceAll(lineBreaks, '');
  // Padding may be missing. An incomplete last group has at least two characters.
  const digits = text.replace(/=+$/, '').length;
  if (!base64Form.test(text) || digits % 4 === 1) return undefined;
  return { type: head[1] || undefined, data: Buffer.from(text, 'base64') };
}
