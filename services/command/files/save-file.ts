import { createHash } from 'node:crypto';
import type { Command, CommandAnswer, SendToOwner } from '../forwarding/send-to-owner.ts';
import type { AppendFile } from './append-file.ts';
import type { StoredFile } from './attachment-handlers.ts';
import { uploadCommand } from './file-commands.ts';

export interface SaveDeps {
  readonly appendFile: AppendFile;
  readonly sendToOwner: SendToOwner;
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
  command: Command,
  { content, stored }: { readonly content: Buffer; readonly stored: StoredFile },
  { appendFile, sendToOwner }: SaveDeps,
): Promise<CommandAnswer> {
  await appendFile({ sha256: stored.sha256, content });
  return sendToOwner(uploadCommand, { ...command, body: stored });
}
