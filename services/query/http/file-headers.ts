import { create as createDisposition } from 'content-disposition';
import { harmlessType, isImageType } from '../../../shared/domain/file/accepted-types.ts';

/** The file of an attachment. */
export interface FoundFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
}

/** A strong tag: the same tag means the same bytes. */
export function toFileTag(sha256: string): string {
  return `"${sha256}"`;
}

/** Headers for files that anybody may have uploaded: nothing in them may run, and only pictures are shown in place. */
export function fileHeaders({ name, type, sha256 }: FoundFile): Readonly<Record<string, string>> {
  const disposition = isImageType(type) ? 'inline' : 'attachment';
  return {
    'content-type': harmlessType(type),
    'content-disposition': createDisposition(toFileName(name), { type: disposition }),
    'content-security-policy': "default-src 'none'; sandbox",
    etag: toFileTag(sha256),
    'accept-ranges': 'bytes',
    // Users who have lost the right to read the file must not find it in a cache.
    'cache-control': 'private, no-cache',
  };
}

/** A name without a path, and without characters that headers or file systems cannot have. */
function toFileName(name: string): string {
  const safe = name.toWellFormed().replaceAll(unsafe, '_');
  return /^[. ]*$/.test(safe) ? 'file' : safe;
}

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;
