import { type Actor, accessLevel } from '../../domain/access/actor.ts';
import type { EntityModel, FindModel } from '../../domain/entity/model/entity-model.ts';
import { liveTable } from '../tables/read-model-names.ts';
import { anyIn } from './conditions.ts';
import { rowCondition, type ViewerExpressions } from './row-condition.ts';

/**
 * Returns SQL for the rows of an entity's table, under an alias, whose stream the actor may see (which implies reading
 * them); undefined for all rows.
 */
export function streamCondition(
  { actor, model }: { readonly actor: Actor; readonly model: EntityModel },
  alias: string,
  viewer: ViewerExpressions,
): string | undefined {
  const conditions = (['read', 'stream'] as const).flatMap(
    (right) => rowCondition({ actor, model, right }, alias, viewer) ?? [],
  );
  return conditions.length === 0 ? undefined : [...new Set(conditions)].join(' and ');
}

/**
 * Returns SQL for the posts, under an alias, that the actor wrote, that are addressed to the actor, or whose parent's
 * stream the actor sees.
 */
export function postCondition(
  {
    actor,
    model,
    findModel,
  }: { readonly actor: Actor; readonly model: EntityModel; readonly findModel: FindModel },
  alias: string,
  viewer: ViewerExpressions,
): string {
  const parents = streamParents(model, findModel).filter((target) => isReached(actor, target));
  const conditions = parents.map((parent) => {
    const open = streamCondition({ actor, model: parent }, 'sp', viewer) ?? 'true';
    const table = liveTable(parent.name);
    const isVisible = `sp.id = ${alias}.parent_id and not sp.deleted and ${open}`;
    return `(${alias}.parent_type = '${parent.name}' and exists (select 1 from ${table} sp where ${isVisible}))`;
  });
  return `(${[writtenOrAddressed(alias, viewer), ...conditions].join(' or ')})`;
}

/** Returns SQL for the posts without a parent, under an alias, that a user wrote or that are addressed to the user. */
export function ownPostCondition(alias: string, viewer: ViewerExpressions): string {
  return `(${alias}.parent_id is null and (${writtenOrAddressed(alias, viewer)}))`;
}

function writtenOrAddressed(alias: string, viewer: ViewerExpressions): string {
  return `${alias}.created_by_id = ${viewer.id} or ${addressedCondition(alias, viewer)}`;
}

/** This is the SQL form of `isAddressed`. */
function addressedCondition(alias: string, { id, teams }: ViewerExpressions): string {
  const addressees = [
    `${alias}.target_type = 'all'`,
    anyIn(`${alias}.users_ids`, `@> array[${id}]`),
    anyIn(`${alias}.teams_ids`, `&& ${teams}`),
  ];
  return `(${alias}.parent_id is null and (${addressees.join(' or ')}))`;
}

function streamParents({ fields }: EntityModel, findModel: FindModel): readonly EntityModel[] {
  return (fields.get('parent')?.entityList ?? []).flatMap((name) => findModel(name) ?? []);
}

function isReached(actor: Actor, { name }: EntityModel): boolean {
  return (['read', 'stream'] as const).every((right) => accessLevel(actor, name, right) !== 'no');
}
