import { type Actor, accessLevel, mayEditField } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  fileFieldsOf,
  fileHolders,
  isFileField,
} from '../../../shared/domain/entity/model/file-field.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type FieldDefinition, fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import {
  isAccepted,
  isImageType,
  readDataUrl,
} from '../../../shared/domain/file/accepted-types.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { CommandContext } from '../context.ts';
import type { JsonObject } from '../owner/read-body.ts';
import type { StoredFile } from './file-commands.ts';

interface Upload {
  readonly actor: Actor;
  readonly body: JsonObject;
}

/** A validated upload: the name and type of the file, and its field. */
type PlannedUpload = Omit<StoredFile, 'size' | 'sha256' | 'role'>;

/** The size of a file, and the type that its sender gave to it. */
interface SentFile {
  readonly size: number;
  readonly type: string | undefined;
}

const BYTES_PER_MIB = 1024 * 1024;
const MAX_TYPE_LENGTH = 100;
const typePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const anyType = 'application/octet-stream';

/** Validates an upload. Rejects files that this actor may not upload for the field. */
export function planUpload<File extends SentFile>(
  {
    actor,
    body,
    readFile,
    maxBytes: maxUploadBytes,
  }: Upload & {
    /** Returns the file in the body; throws a refusal for a body without one. */
    readonly readFile: () => File;
    readonly maxBytes: number;
  },
  { directory }: Pick<CommandContext, 'directory'>,
): { readonly planned: PlannedUpload; readonly file: File } {
  const { name, role = 'Attachment' } = body;
  if (role !== 'Attachment') throw badUpload("'role' must be 'Attachment'.");
  const place = readPlace({ actor, body }, directory);
  const file = readFile();
  const type = readType(body['type'] ?? file.type ?? anyType);
  const maxBytes = Math.min(maxUploadBytes, limitOf(place.definition));
  if (file.size > maxBytes) throw tooLarge(maxBytes);
  requireAccepted(place.definition, { type, name });
  return { planned: { name, type, ...holderOf(place) }, file };
}

/** A field of an entity type, to which files can be uploaded. */
export interface Place {
  readonly entityType: string;
  readonly field: string;
  readonly definition: FieldDefinition;
}

/** Returns the attributes of an attachment that identify its field. */
export function holderOf({ entityType, field, definition }: Place) {
  const isMany = fieldTypeOf(definition).holdsFiles?.isMany === true;
  return {
    field,
    relatedType: isMany ? null : entityType,
    parentType: isMany ? entityType : null,
  };
}

function readPlace({ actor, body }: Upload, directory: Directory): Place {
  const { relatedType, parentType, field } = body;
  const entityType = relatedType ?? parentType;
  if (typeof entityType !== 'string' || typeof field !== 'string') {
    throw badUpload(
      "'field' and either 'relatedType' or 'parentType' must name the field that will hold the file.",
    );
  }
  const model = directory.entity(entityType);
  const definition = model?.fields.get(field);
  const isForFiles = model?.definition.isInternal !== true && isFileField(definition);
  if (model === undefined || definition === undefined || !isForFiles) {
    const named = `${printable(entityType)}.${printable(field)}`;
    throw badUpload(`${named} is not a field that holds files.`);
  }
  if (mayHoldFiles(actor, model) && mayEditField(actor, model, field))
    return { entityType, field, definition };
  throw new Refusal('forbidden', 'access.denied', `You may not edit ${entityType}.${field}.`);
}

/** Returns the file in a data URL. */
export function readFileInUrl(url: unknown): SentFile & { readonly content: Buffer } {
  const read = typeof url === 'string' ? readDataUrl(url) : undefined;
  if (read !== undefined) return { content: read.data, type: read.type, size: read.data.length };
  throw badUpload("'file' must be a base64 data URL.");
}

function readType(type: unknown): string {
  if (typeof type === 'string' && type.length <= MAX_TYPE_LENGTH && typePattern.test(type)) {
    return type.toLowerCase();
  }
  throw badUpload("'type' must be a media type.");
}

/** Returns the field's size limit in bytes. */
export function limitOf({ maxFileSize }: FieldDefinition): number {
  return maxFileSize === undefined ? Infinity : maxFileSize * BYTES_PER_MIB;
}

export function tooLarge(maxBytes: number): Refusal {
  const message = `The file is larger than ${maxBytes} bytes.`;
  return new Refusal('too_large', 'file.too_large', message, { parameters: { maxBytes } });
}

function requireAccepted(
  field: FieldDefinition,
  file: { readonly type: string; readonly name: unknown },
): void {
  if (takesType(field, file)) return;
  throw new Refusal(
    'invalid',
    'file.type',
    `This field does not accept files of type ${file.type}.`,
  );
}

/** Returns true if the field accepts files with this media type or extension. */
export function takesType(
  field: FieldDefinition,
  { type, name }: { readonly type: string; readonly name: unknown },
): boolean {
  return fieldTypeOf(field).holdsFiles?.onlyImages === true
    ? isImageType(type)
    : isAccepted(field.accept ?? [], { type, name: String(name) });
}

export function badUpload(message: string): Refusal {
  return new Refusal('invalid', 'file.invalid', message);
}

/**
 * Rejects users who may not upload a file for any field. `planUpload` checks the permission for the field, which is
 * known only once the body has been read.
 */
export function requireUploader(actor: Actor, directory: Directory): void {
  const attachments = directory.entity(attachmentType);
  const holders = attachments === undefined ? [] : fileHolders(attachments, directory.entity);
  const mayUpload = holders.some(
    (holder) =>
      holder.definition.isInternal !== true &&
      mayHoldFiles(actor, holder) &&
      fileFieldsOf(holder).some((field) => mayEditField(actor, holder, field)),
  );
  if (mayUpload) return;
  const message =
    'You may not upload files, because your roles do not let you edit any field for files.';
  throw new Refusal('forbidden', 'access.denied', message);
}

/** Returns true if the actor may create or edit some records of the entity type. */
function mayHoldFiles(actor: Actor, { name, fields, definition }: EntityModel): boolean {
  const mayWrite = (['create', 'edit'] as const).some(
    (right) => accessLevel(actor, name, right) !== 'no',
  );
  if (!mayWrite || definition.access !== 'belonging') return mayWrite;
  // All users may post to themselves, but only users whose posts others can read may add files.
  const parents = fields.get('parent')?.entityList ?? [];
  return actor.permissions.message !== 'no' || parents.some((parent) => mayPostIn(actor, parent));
}

function mayPostIn(actor: Actor, parent: string): boolean {
  return (['read', 'stream'] as const).every((right) => accessLevel(actor, parent, right) !== 'no');
}
