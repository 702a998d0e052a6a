import { createHash } from 'node:crypto';
import type { CommandContext } from '../context.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { type StoredFile, uploadCommand } from './file-commands.ts';
import type { Pieces } from './file-pieces.ts';

/** A file to be saved: its bytes and metadata. */
export interface NewFile extends Omit<StoredFile, 'size' | 'sha256'> {
  readonly content: Buffer;
}

/** Returns the metadata of the file, which refers to its bytes by their hash. */
export function toStoredFile({ content, ...known }: NewFile): StoredFile {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { ...known, size: content.length, sha256 };
}

/**
 * Writes the bytes first, then the record that refers to them, so that the log has the bytes of every visible record. A
 * crash in between leaves bytes that no record refers to.
 */
export async function saveFile(
  command: Command,
  { pieces, stored }: { readonly pieces: Pieces; readonly stored: StoredFile },
  { appendFile, sender }: CommandContext,
): Promise<CommandAnswer> {
  const { sha256, size } = stored;
  await appendFile({ sha256, size, pieces });
  return sender.send(uploadCommand, { ...command, body: stored });
}
