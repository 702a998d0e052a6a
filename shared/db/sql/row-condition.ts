import type { Right } from '../../domain/access/access-table.ts';
import { type Actor, accessLevel } from '../../domain/access/actor.ts';
import { ownerAttributes } from '../../domain/access/record-access.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { quotedColumn } from '../tables/read-model-names.ts';
import { anyIn } from './conditions.ts';

/** SQL expressions for the actor: their id as text, and the ids of their teams as text[]. */
export interface ViewerExpressions {
  readonly id: string;
  readonly teams: string;
}

/**
 * Returns SQL for the rows of an entity's table, under an alias, on which the actor has this right; undefined for all
 * rows. This is the SQL form of `reaches`.
 */
export function rowCondition(
  {
    actor,
    model,
    right,
  }: { readonly actor: Actor; readonly model: EntityModel; readonly right: Right },
  alias: string,
  viewer: ViewerExpressions,
): string | undefined {
  const level = accessLevel(actor, model.name, right);
  if (level === 'all' || level === 'yes') return undefined;
  if (level === 'no') return 'false';
  const { owner, teams, readers } = ownerAttributes(model);
  const conditions = [holds(model, owner, { alias, id: viewer.id })];
  if (readers !== undefined && (right === 'read' || right === 'stream')) {
    conditions.push(holds(model, readers, { alias, id: viewer.id }));
  }
  if (level === 'team' && teams !== undefined) {
    conditions.push(
      teams === 'id'
        ? `${alias}.id = any(${viewer.teams})`
        : anyIn(`${alias}.${quotedColumn({ name: teams })}`, `&& ${viewer.teams}`),
    );
  }
  return `(${conditions.join(' or ')})`;
}

function holds(
  { attribute }: EntityModel,
  name: string,
  { alias, id }: { readonly alias: string; readonly id: string },
): string {
  const column = `${alias}.${quotedColumn({ name })}`;
  return attribute.get(name)?.kind === 'strings'
    ? anyIn(column, `@> array[${id}]`)
    : `${column} = ${id}`;
}
