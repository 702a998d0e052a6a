import { type Actor, mayReadField } from '../../domain/access/actor.ts';
import type { EntityModel, FindModel } from '../../domain/entity/model/entity-model.ts';
import { fileFieldsOf, fileHolders } from '../../domain/entity/model/file-field.ts';
import { liveSchema, liveTable, quotedColumn, quoteName } from '../tables/read-model-names.ts';
import { anyIn } from './conditions.ts';
import { rowCondition, type ViewerExpressions } from './row-condition.ts';

interface Reader {
  readonly actor: Actor;
  /** The model of the entity type `Attachment`. */
  readonly model: EntityModel;
  readonly findModel: FindModel;
  /**
   * Returns SQL for the rows of another entity type that the actor may read; undefined for all rows, and for types whose
   * names are readable by all users.
   */
  readonly rows: (target: EntityModel, alias: string) => string | undefined;
  readonly viewer: ViewerExpressions;
}

/**
 * Returns SQL for the attachments, under an alias, that the actor uploaded or that a readable field of a readable
 * record holds; administrators read all of them. Only the record stores which attachments it holds, so no second copy
 * has to be kept consistent. The condition is null instead of true for attachments that records no longer hold.
 */
export function attachmentCondition(reader: Reader, alias: string): string {
  const { actor, model, findModel, viewer } = reader;
  const isKept = `nullif(not ${isReleased(model, findModel, alias)}, false)`;
  if (actor.type === 'admin') return isKept;
  const own = rowCondition({ actor, model, right: 'read' }, alias, viewer) ?? 'true';
  // Exports do not belong to a field, so comparisons with their field are null.
  const held = readableHolders(reader).map(
    ({ readable, ...place }) => `${isHeld(place, alias, `not h.deleted and ${readable}`)} is true`,
  );
  return `(${[`(${own} and ${isKept})`, ...held].join(' or ')})`;
}

/**
 * Returns SQL that is true for attachments, under an alias, that a record holds, held when the record was deleted, or
 * used to hold.
 */
export function wasEverHeld(model: EntityModel, findModel: FindModel, alias: string): string {
  return `(${wasMentioned(alias)} or ${heldBySomeRecord(model, findModel, alias)})`;
}

/** A field for files, and SQL for the rows `h` of its entity type that the actor may read. */
export interface ReadableHolder extends HolderField {
  readonly readable: string;
}

interface HolderField {
  readonly holder: EntityModel;
  readonly field: string;
}

/** Returns the fields for files that the actor may read. */
export function readableHolders(reader: Reader): ReadableHolder[] {
  const { actor, model, findModel } = reader;
  return fileHolders(model, findModel).flatMap((holder) => {
    const readable = readableRows(reader, holder) ?? 'true';
    if (readable === 'false') return [];
    return fileFieldsOf(holder)
      .filter((field) => mayReadField(actor, holder, field))
      .map((field) => ({ holder, field, readable }));
  });
}

/** The picture of a user is as private as the user, although all users can read the user's name. */
function readableRows({ actor, rows, viewer }: Reader, holder: EntityModel): string | undefined {
  return holder.definition.log === 'directory' && actor.type !== 'admin'
    ? rowCondition({ actor, model: holder, right: 'read' }, 'h', viewer)
    : rows(holder, 'h');
}

/** Returns SQL that is true for attachments, under an alias, that were uploaded for the field. */
export function isUploadedFor({ holder, field }: HolderField, alias: string): string {
  return `coalesce(${alias}.related_type, ${alias}.parent_type) = '${holder.name}' and ${alias}.field = '${field}'`;
}

/** Returns SQL that is true for rows `h` whose field holds the attachment with this alias. */
export function holdsFile({ holder, field }: HolderField, alias: string): string {
  const one = holder.attribute.get(`${field}Id`);
  const column = `h.${quotedColumn({ name: one?.name ?? `${field}Ids` })}`;
  return one === undefined ? anyIn(column, `@> array[${alias}.id]`) : `${column} = ${alias}.id`;
}

/**
 * A replaced or removed file is released until a record contains it again. Files of deleted records are not released.
 */
function isReleased(model: EntityModel, findModel: FindModel, alias: string): string {
  return `(${wasMentioned(alias)} and not ${heldBySomeRecord(model, findModel, alias)})`;
}

/** Events that add a file to a record, or remove one, mention the file, as they mention every linked record. */
function wasMentioned(alias: string): string {
  const mentions = `${quoteName(liveSchema)}.stream_mentions`;
  const type = `coalesce(${alias}.related_type, ${alias}.parent_type)`;
  return `exists (select 1 from ${mentions} m where m.record_id = ${alias}.id and m.entity_type = ${type})`;
}

function heldBySomeRecord(model: EntityModel, findModel: FindModel, alias: string): string {
  const held = fileHolders(model, findModel).flatMap((holder) =>
    fileFieldsOf(holder).map((field) => isHeld({ holder, field }, alias, 'true')),
  );
  return `(${['false', ...held].join(' or ')})`;
}

/** Only one of these conditions looks up a record, because the attachment names the field for which it was uploaded. */
function isHeld(place: HolderField, alias: string, isCounted: string): string {
  const { holder } = place;
  return (
    `(${isUploadedFor(place, alias)}` +
    ` and exists (select 1 from ${liveTable(holder.name)} h where ${isCounted} and ${holdsFile(place, alias)}))`
  );
}
