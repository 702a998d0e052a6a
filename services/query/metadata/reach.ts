import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { FieldDefinition } from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/links.ts';

/** Whether the definitions of an entity type are for this actor. */
export function isReached(actor: Actor, { name, definition }: EntityModel): boolean {
  if (definition.isInternal === true) return false;
  if (actor.type === 'admin' || name === 'Webhook') return true;
  if (definition.log === 'directory' && name !== 'User' && name !== 'Team') return false;
  return accessLevel(actor, name, 'read') !== 'no';
}

/** Names of the entity types whose definitions somebody gets. */
export type Reach = ReadonlySet<string>;

/** The fields of an entity type without those that lead to what is out of reach (api-facts 7.1). */
export function fieldsWithin(
  { fields }: EntityModel,
  reach: Reach,
): readonly (readonly [string, FieldDefinition])[] {
  return [...fields].flatMap(([name, field]) => {
    if (field.type === 'secret' || !leadsInto(fields, field, reach)) return [];
    return [[name, field.entityList === undefined ? field : withinList(field, reach)] as const];
  });
}

function leadsInto(
  fields: EntityModel['fields'],
  { type, link, entityType }: FieldDefinition,
  reach: Reach,
): boolean {
  const behind = type === 'foreign' ? fields.get(link ?? '')?.entityType : entityType;
  return behind === undefined || reach.has(behind);
}

function withinList(field: FieldDefinition, reach: Reach): FieldDefinition {
  return { ...field, entityList: field.entityList?.filter((name) => reach.has(name)) ?? [] };
}

/** The same of its links. */
export function linksWithin(
  model: EntityModel,
  reach: Reach,
  findModel: FindModel,
): readonly EntityLink[] {
  return [...linksOf(model, findModel).values()].filter(
    ({ entityType }) => entityType === undefined || reach.has(entityType),
  );
}
