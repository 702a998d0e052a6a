import { type Actor, mayReadField } from '../../domain/access/actor.ts';
import type { EntityModel, FindModel } from '../../domain/entity/model/entity-model.ts';
import { fileFieldsOf, fileHolders } from '../../domain/entity/model/file-field.ts';
import { liveTable, quotedColumn } from '../tables/read-model-names.ts';
import { anyIn } from './any-in.ts';
import { rowCondition, type ViewerExpressions } from './row-condition.ts';

interface Reader {
  readonly actor: Actor;
  /** The model of attachments. */
  readonly model: EntityModel;
  readonly findModel: FindModel;
  /** SQL for the rows of another entity type that the actor may read; undefined: all of them. */
  readonly rows: (target: EntityModel, alias: string) => string | undefined;
}

/**
 * SQL for the attachments, under an alias, that the actor uploaded, or that a readable field of a readable record
 * holds. It follows from the record alone which attachments it holds, so there is no second copy of that to keep
 * consistent.
 */
export function attachmentCondition(
  { actor, model, findModel, rows }: Reader,
  alias: string,
  viewer: ViewerExpressions,
): string | undefined {
  const own = rowCondition({ actor, model, right: 'read' }, alias, viewer);
  if (own === undefined) return undefined;
  const held = fileHolders(model, findModel).flatMap((holder) => {
    const readable = rows(holder, 'h') ?? 'true';
    if (readable === 'false') return [];
    return fileFieldsOf(holder)
      .filter((field) => mayReadField(actor, holder, field))
      .map((field) => isHeld({ holder, field, readable }, alias));
  });
  return `(${[own, ...held].join(' or ')})`;
}

/** SQL that is true for attachments, under an alias, that a record holds or held when it was deleted. */
export function heldBySomeRecord(model: EntityModel, findModel: FindModel, alias: string): string {
  const held = fileHolders(model, findModel).flatMap((holder) =>
    fileFieldsOf(holder).map((field) => isHeld({ holder, field, readable: 'true' }, alias, 'true')),
  );
  return `(${['false', ...held].join(' or ')})`;
}

/** Only one of these conditions looks up a record: the attachment says for which field it was uploaded. */
function isHeld(
  {
    holder,
    field,
    readable,
  }: { readonly holder: EntityModel; readonly field: string; readonly readable: string },
  alias: string,
  isCounted = 'not h.deleted',
): string {
  const one = holder.attribute.get(`${field}Id`);
  const column = `h.${quotedColumn({ name: one?.name ?? `${field}Ids` })}`;
  const holds =
    one === undefined ? anyIn(column, `@> array[${alias}.id]`) : `${column} = ${alias}.id`;
  return (
    `(coalesce(${alias}.related_type, ${alias}.parent_type) = '${holder.name}' and ${alias}.field = '${field}'` +
    ` and exists (select 1 from ${liveTable(holder.name)} h where ${isCounted} and ${holds} and ${readable}))`
  );
}
