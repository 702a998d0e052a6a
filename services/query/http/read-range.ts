import type { ByteRange } from '../../../shared/db/file-store.ts';

const form = /^bytes=(\d*)-(\d*)$/;

/**
 * The part of so many bytes that a Range header asks for. Undefined, which is all of it, without one, for several parts,
 * and for what makes no sense: a server may ignore the header (RFC 9110, 14.2).
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
