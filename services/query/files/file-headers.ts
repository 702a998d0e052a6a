import { create as createDisposition } from 'content-disposition';
import { harmlessType, isImageType } from '../../../shared/domain/file/accepted-types.ts';

/** An attachment's file. */
export interface FoundFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
}

/** Returns a strong tag: files with the same tag have the same bytes. */
export function toFileTag(sha256: string): string {
  return `"${sha256}"`;
}

/**
 * Returns headers for files from untrusted users: scripts in a file must not run, and only pictures are shown inline.
 */
export function fileHeaders({ name, type, sha256 }: FoundFile) {
  const disposition = isImageType(type) ? 'inline' : 'attachment';
  return {
    'content-type': harmlessType(type),
    'content-disposition': createDisposition(toFileName(name), { type: disposition }),
    'content-security-policy': "default-src 'none'; sandbox",
    etag: toFileTag(sha256),
    'accept-ranges': 'bytes',
    // Users who have lost the right to read the file must not get it from a cache.
    'cache-control': 'private, no-cache',
  };
}

/** Returns a short name without a path, and without characters that headers or file systems reject. */
function toFileName(name: string): string {
  const safe = shorten(name.toWellFormed().replaceAll(unsafe, '_'));
  return /^[. ]*$/.test(safe) ? 'file' : safe;
}

/** Maximum length of a percent-encoded name: a name of 255 characters may encode to over 2 KB. */
const MAX_ENCODED_LENGTH = 1_000;

/** Truncates the name before its extension. */
function shorten(name: string): string {
  const [extension = ''] = /\.[^.]{1,20}$/u.exec(name) ?? [];
  const characters = [...name.slice(0, name.length - extension.length)];
  let left = MAX_ENCODED_LENGTH - encodeURIComponent(extension).length;
  const end = characters.findIndex((character) => {
    left -= encodeURIComponent(character).length;
    return left < 0;
  });
  return end === -1 ? name : characters.slice(0, end).join('') + extension;
}

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;
