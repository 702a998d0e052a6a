import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isFileField } from '../../../shared/domain/entity/model/file-field.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { idOrIdsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import type { Command } from '../owner/command.ts';
import { keyOfStep } from '../owner/hash-request.ts';
import { type StoredFile, uploadCommand } from './file-commands.ts';
import { holderOf, limitOf, type Place, takesType } from './plan-upload.ts';
import { requireQuota } from './require-quota.ts';

/**
 * Returns initial values for a `target` record, with copies of the files, because a file belongs to the field that it
 * was uploaded for. The copies belong to the actor and share the bytes of the originals. Deleted files, and files that
 * the field does not accept, are omitted.
 */
export async function copyFiles(
  command: Command,
  { target, values }: { readonly target: EntityModel; readonly values: AttributeValues },
  context: CommandContext,
): Promise<AttributeValues> {
  const attachments = context.directory.entity(attachmentType);
  if (attachments === undefined) return values;
  const result: Record<string, AttributeValue> = { ...values };
  for (const [field, definition] of target.fields) {
    if (!isFileField(definition)) continue;
    const own = target.attributes.filter((attribute) => attribute.field === field);
    for (const { name } of own) delete result[name];
    const ids = idOrIdsIn(values[`${field}Ids`] ?? values[`${field}Id`]);
    const place = { entityType: target.name, field, definition };
    const copies = await copyEach({ ...command, model: attachments }, { ids, place }, context);
    if (copies.length > 0) Object.assign(result, attributesOf(place, copies));
  }
  return result;
}

async function copyEach(
  command: Command,
  { ids, place }: { readonly ids: readonly string[]; readonly place: Place },
  context: CommandContext,
): Promise<readonly RecordState[]> {
  const copies: RecordState[] = [];
  for (const id of ids) {
    const copy = await copyFile({ ...command, id }, place, context);
    if (copy !== undefined) copies.push(copy);
  }
  return copies;
}

/** Copies the attachment that the command names. Returns undefined if the field does not accept it. */
async function copyFile(
  { id, ...command }: Command & { readonly id: string },
  place: Place,
  context: CommandContext,
): Promise<RecordState | undefined> {
  const original = await context.readState(command.model, id);
  const stored = original && toCopy(original, place);
  if (stored === undefined) return undefined;
  await requireQuota(command.actor.id, context);
  const step = `copy/${place.entityType}/${place.field}/${id}`;
  const { state } = await context.sender.send(uploadCommand, {
    ...command,
    body: stored,
    commandId: keyOfStep(command.commandId, step),
    conditions: {},
    untilReadable: true,
  });
  return state;
}

/** Returns undefined for a file that the field does not accept. */
function toCopy({ deleted, values }: RecordState, place: Place): StoredFile | undefined {
  const { name, type, size, sha256, role } = values;
  const isWhole =
    typeof type === 'string' && typeof size === 'number' && typeof sha256 === 'string';
  if (deleted || !isWhole || role === 'Export File') return undefined;
  const isFit = size <= limitOf(place.definition) && takesType(place.definition, { type, name });
  return isFit ? { name, type, size, sha256, role: 'Attachment', ...holderOf(place) } : undefined;
}

function attributesOf({ field, definition }: Place, copies: readonly RecordState[]) {
  const byId = (attribute: 'name' | 'type') =>
    Object.fromEntries(copies.map(({ id, values }) => [id, values[attribute] ?? null]));
  if (fieldTypeOf(definition).holdsFiles?.isMany === true) {
    return {
      [`${field}Ids`]: copies.map(({ id }) => id),
      [`${field}Names`]: byId('name'),
      [`${field}Types`]: byId('type'),
    };
  }
  const [copy] = copies;
  return { [`${field}Id`]: copy?.id ?? null, [`${field}Name`]: copy?.values['name'] ?? null };
}
