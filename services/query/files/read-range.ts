import type { ByteRange } from '../../../shared/files/file-store.ts';

const form = /^bytes=(\d*)-(\d*)$/;

/**
 * Returns the range of bytes that a Range header requests. Undefined means the whole file: no header, several ranges,
 * or a malformed header, which servers may ignore (RFC 9110, 14.2).
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = form.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const range =
    first === ''
      ? { from: Math.max(0, size - Number(last)), to: size }
      : { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) };
  return range.from < range.to ? range : undefined;
}
