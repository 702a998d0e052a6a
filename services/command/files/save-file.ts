import { createHash } from 'node:crypto';
import type { RouteCommand, RoutedAnswer, RoutedCommand } from '../routing/route-commands.ts';
import type { AppendFile } from './append-file.ts';
import type { StoredFile } from './attachment-commands.ts';
import { uploadAction } from './file-actions.ts';

export interface SaveDeps {
  readonly appendFile: AppendFile;
  readonly route: RouteCommand;
}

/** What is to be known of a file, and its bytes. */
export interface NewFile extends Omit<StoredFile, 'size' | 'sha256'> {
  readonly content: Buffer;
}

/** What a command for the file holds: all but the bytes, which it names. */
export function toStoredFile({ content, ...known }: NewFile): StoredFile {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { ...known, size: content.length, sha256 };
}

/**
 * Bytes first, then the record that refers to them: whoever sees the record finds the bytes in the log. A crash in
 * between leaves bytes that nobody refers to.
 */
export async function saveFile(
  command: RoutedCommand,
  { content, stored }: { readonly content: Buffer; readonly stored: StoredFile },
  { appendFile, route }: SaveDeps,
): Promise<RoutedAnswer> {
  await appendFile({ sha256: stored.sha256, content });
  return route(uploadAction, { ...command, body: stored });
}
