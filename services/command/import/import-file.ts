import type { Actor } from '../../../shared/domain/access/actor.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { Pieces } from '../../../shared/files/file-pieces.ts';
import type { BaseContext } from '../context.ts';
import { badImport, type ImportPlan } from './import-plan.ts';

export const importFileRole = 'Import File' as const;

type StoredBytes = Pick<ImportPlan, 'sha256' | 'size'>;

/** Returns the bytes of a file that the actor uploaded for an import. Waits until they are readable. */
export async function findImportFile(
  context: BaseContext,
  { actor, fileId }: { readonly actor: Actor; readonly fileId: string },
): Promise<StoredBytes> {
  const model = context.directory.entity(attachmentType);
  const state = model && (await context.readState(model, fileId));
  const { createdById, role, sha256, size } = state?.values ?? {};
  const isOwn = createdById === actor.id || actor.type === 'admin';
  if (state?.deleted !== false || !isOwn || role !== importFileRole) {
    throw badImport("'attachmentId' must be the id of a file that you uploaded with Import/file.");
  }
  const stored = { sha256: String(sha256), size: Number(size) };
  await context.files.untilStored(stored);
  return stored;
}

/** Yields the bytes of a file, one chunk in memory at a time. */
export function openImportFile({ files }: BaseContext, { sha256, size }: StoredBytes): Pieces {
  return files.read({ sha256, size });
}
