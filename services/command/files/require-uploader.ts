import { type Actor, accessLevel, mayEditField } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { fileFieldsOf, fileHolders } from '../../../shared/domain/entity/model/file-field.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';

/**
 * Rejects users who may not put a file into any field. The body, which names the field, is read later: `planUpload` checks
 * that field.
 */
export function requireUploader(actor: Actor, directory: Pick<Directory, 'entity'>): void {
  const attachments = directory.entity(attachmentType);
  const holders = attachments === undefined ? [] : fileHolders(attachments, directory.entity);
  const mayUpload = holders.some(
    (holder) =>
      holder.definition.isInternal !== true &&
      mayHoldFiles(actor, holder) &&
      fileFieldsOf(holder).some((field) => mayEditField(actor, holder, field)),
  );
  if (mayUpload) return;
  const message = 'You may not upload files: your roles let you edit no field that holds files.';
  throw new Refusal('forbidden', 'access.denied', message);
}

/** Whether the actor may create or edit some records of the entity type. */
export function mayHoldFiles(actor: Actor, { name, fields, definition }: EntityModel): boolean {
  const mayWrite = (['create', 'edit'] as const).some(
    (right) => accessLevel(actor, name, right) !== 'no',
  );
  if (!mayWrite || definition.access !== 'belonging') return mayWrite;
  // Every user may post to themselves, but only users whose posts others can read may add files.
  const parents = fields.get('parent')?.entityList ?? [];
  return actor.permissions.message !== 'no' || parents.some((parent) => mayPostIn(actor, parent));
}

function mayPostIn(actor: Actor, parent: string): boolean {
  return (['read', 'stream'] as const).every((right) => accessLevel(actor, parent, right) !== 'no');
}
