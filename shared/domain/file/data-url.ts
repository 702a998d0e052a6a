export interface DataUrl {
  /** The media type without parameters; undefined if the URL has none. */
  readonly type: string | undefined;
  readonly data: Buffer;
}

const headForm = /^data:([^,;]*)(?:;[^,;]*)*;base64$/i;
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/;
/** MIME encoders insert line breaks. */
const lineBreaks = /[\r\n]+/g;
const MAX_HEAD_LENGTH = 500;

/** Parses `data:text/plain;base64,aGk=` (RFC 2397). Returns undefined for anything else, including data not in base64. */
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
