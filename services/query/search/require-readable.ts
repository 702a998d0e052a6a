import { quotedColumn } from '../../../shared/db/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordView } from './record-view.ts';
import type { Row } from './run-statement.ts';

/** Who asks for which record. */
export interface RecordQuery {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly id: string;
}

/** Read beside `deleted` and not shown. No attribute begins with `$`. */
export const ownerColumn = '$owner';
/** Whatever has another form names nothing, and may not even be text for Postgres. */
const idPattern = /^[A-Za-z0-9_=.-]{1,100}$/;

/** What a statement over `r`, a row of the entity's table, has to select so that `requireReadable` can judge. */
export function ownerOf({ ownerAttribute }: RecordView): string {
  const owner =
    ownerAttribute === undefined ? 'null' : `r.${quotedColumn({ name: ownerAttribute })}`;
  return `${owner} as "${ownerColumn}"`;
}

export function requirePossibleId(id: string): void {
  if (!idPattern.test(id)) throw recordNotFound(id);
}

/**
 * The row, with `deleted` and the owner column, if the actor may read its record. Refuses with 404 what is missing or
 * deleted, with 403 what belongs to others.
 */
export function requireReadable({ actor, view, id }: RecordQuery, row: Row | undefined): Row {
  if (row === undefined || (row['deleted'] === true && !view.withDeleted)) throw recordNotFound(id);
  if (view.ownerAttribute !== undefined && row[ownerColumn] !== actor.id) {
    throw new Refusal('forbidden', 'access.denied', "No 'read' access.");
  }
  return row;
}

function recordNotFound(id: string): Refusal {
  return new Refusal('not_found', 'record.not_found', `Record ${id.slice(0, 100)} does not exist.`);
}
