import { create as createDisposition } from 'content-disposition';
import { harmlessType, isImageType } from '../../../shared/domain/file/accepted-types.ts';
import type { FoundFile } from '../files/found-file.ts';

/** Strong: the same tag is the same bytes. */
export function toFileTag(sha256: string): string {
  return `"${sha256}"`;
}

/** What a browser has to know of a file from strangers: nothing in it may run, and only pictures are shown in place. */
export function fileHeaders({ name, type, sha256 }: FoundFile): Readonly<Record<string, string>> {
  const disposition = isImageType(type) ? 'inline' : 'attachment';
  return {
    'content-type': harmlessType(type),
    'content-disposition': createDisposition(toFileName(name), { type: disposition }),
    'content-security-policy': "default-src 'none'; sandbox",
    etag: toFileTag(sha256),
    'accept-ranges': 'bytes',
    // Whoever has lost the right to read it must not find it in a cache.
    'cache-control': 'private, no-cache',
  };
}

/** Not a path, and nothing that a header or a file system cannot hold. */
function toFileName(name: string): string {
  const safe = name.toWellFormed().replaceAll(unsafe, '_');
  return /^[. ]*$/.test(safe) ? 'file' : safe;
}

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;
