import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import { accessOf } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { describeField } from '../../../shared/domain/field/definition/describe-field.ts';
import type { FieldDescription } from '../../../shared/domain/field/field-type.ts';
import { type FieldDefinition, fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import type { Reader } from '../../../shared/search/record-view.ts';

/** Returns whether the actor may see the definition of an entity type. */
export function isReached(actor: Actor, { name, definition }: EntityModel): boolean {
  if (definition.isInternal === true) return false;
  if (actor.type === 'admin' || accessOf(definition) === 'switch') return true;
  if (accessOf(definition) === 'administrators') return false;
  return accessLevel(actor, name, 'read') !== 'no';
}

/** Names of the entity types whose definitions an actor may see. */
export type Reach = ReadonlySet<string>;

/** Returns the fields of an entity type, except fields that lead to entity types out of reach. */
export function fieldsWithin(
  { fields }: EntityModel,
  reach: Reach,
): readonly (readonly [string, FieldDefinition])[] {
  return [...fields].flatMap(([name, field]) => {
    if (fieldTypeOf(field).isSecret === true || !leadsInto(fields, field, reach)) return [];
    return [[name, withinList(field, reach)] as const];
  });
}

function leadsInto(
  fields: EntityModel['fields'],
  { link, entityType }: FieldDefinition,
  reach: Reach,
): boolean {
  const behind = link === undefined ? entityType : fields.get(link)?.entityType;
  return behind === undefined || reach.has(behind);
}

function withinList(field: FieldDefinition, reach: Reach): FieldDefinition {
  if (field.entityList === undefined) return field;
  return { ...field, entityList: field.entityList.filter((name) => reach.has(name)) };
}

/** Returns the links of an entity type, except links to entity types out of reach. */
export function linksWithin(
  model: EntityModel,
  reach: Reach,
  findModel: FindModel,
): readonly EntityLink[] {
  return [...linksOf(model, findModel).values()].filter(
    ({ entityType }) => entityType === undefined || reach.has(entityType),
  );
}

/** The actor's view of an entity type, and the types that the actor's role includes. */
export interface LayoutReader extends Reader {
  readonly reach: Reach;
  readonly findModel: FindModel;
}

/**
 * Returns the fields of an entity type as clients see them, by name. Each field is followed by the parts that clients
 * treat as separate fields (`billingAddressCity` of `billingAddress`). Fields without values in Annals come last.
 */
export function describedFields(
  model: EntityModel,
  reach: Reach,
): ReadonlyMap<string, FieldDescription> {
  const own = fieldsWithin(model, reach).flatMap(([name, field]) => {
    const parts = Object.entries(fieldTypeOf(field).describeParts?.(field) ?? {});
    return [
      [name, describeField(field)] as const,
      ...parts.map(([suffix, part]) => [name + suffix, { ...part, partOf: name }] as const),
    ];
  });
  const fields = new Map<string, FieldDescription>(own);
  for (const [name, field] of Object.entries(model.definition.knownFields ?? {})) {
    const leadsAway = typeof field['entity'] === 'string' && !reach.has(field['entity']);
    if (!fields.has(name) && !leadsAway) {
      fields.set(name, { ...field, notStorable: true, utility: true });
    }
  }
  return fields;
}
