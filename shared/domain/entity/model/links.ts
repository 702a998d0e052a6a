import { type FieldDefinition, fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel, FindModel } from './entity-model.ts';
import { perModel } from './per-model.ts';

/** A link between two entity types, seen from one of them. */
export interface EntityLink {
  readonly name: string;
  readonly type: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasChildren' | 'hasOne';
  /** The entity type on the other side; undefined for a parent, which may be of several types. */
  readonly entityType: string | undefined;
  /** The name of the link on the other side, if any. */
  readonly foreign: string | undefined;
  /** Where the ids are stored: in a field of this record, or of the records on the other side. */
  readonly heldBy: 'self' | 'other';
  /** The field that stores the ids, in the entity type given by `heldBy`. */
  readonly field: string;
  /** Values per link, stored with the ids. */
  readonly columns?: FieldDefinition['columns'];
  /** Rejects linking from this side if the record is already linked to another record. */
  readonly keepsLinked?: boolean | undefined;
}

/** Returns all links of an entity type by name. */
export const linksOf = perModel((model, findModel: FindModel): ReadonlyMap<string, EntityLink> => {
  const links = [...ownLinks(model, findModel), ...foreignLinks(model, findModel)];
  return new Map(links.map((link) => [link.name, link]));
});

/** Returns the body attribute with the ids of a link that the other side stores; undefined for other links. */
export function foreignIds(model: EntityModel, { name, heldBy }: EntityLink): string | undefined {
  const attribute = `${name}Ids`;
  return heldBy === 'other' && !model.attribute.has(attribute) ? attribute : undefined;
}

function ownLinks(model: EntityModel, findModel: FindModel): readonly EntityLink[] {
  return [...model.fields].flatMap(([name, definition]): readonly EntityLink[] => {
    const { entityType, columns } = definition;
    const type = fieldTypeOf(definition).relation;
    if (type === undefined) return [];
    const held = { name, type, heldBy: 'self', field: name } as const;
    if (type === 'belongsToParent') {
      return [{ ...held, entityType: undefined, foreign: undefined }];
    }
    const target = findModel(entityType ?? '');
    if (target === undefined) return [];
    const foreign = definition.foreign ?? foreignName(model, name, target);
    return [{ ...held, entityType: target.name, foreign, ...(columns && { columns }) }];
  });
}

/** Returns the name of this link on the other side, from the definition's links or from a `linkOne` field there. */
function foreignName(model: EntityModel, name: string, target: EntityModel): string | undefined {
  const named = Object.entries(target.definition.links ?? {}).find(
    ([, link]) => link.entityType === model.name && link.foreign === name,
  );
  const one = [...target.fields].find(
    ([, field]) =>
      fieldTypeOf(field).relation === 'hasOne' &&
      field.entityType === model.name &&
      field.foreign === name,
  );
  return (named ?? one)?.[0];
}

function foreignLinks(model: EntityModel, findModel: FindModel): readonly EntityLink[] {
  return Object.entries(model.definition.links ?? {}).flatMap(
    ([name, { entityType, foreign: field, keepsLinked }]): readonly EntityLink[] => {
      const held = findModel(entityType)?.fields.get(field);
      if (held === undefined) return [];
      const { columns } = held;
      const isParent = fieldTypeOf(held).relation === 'belongsToParent';
      const type = isParent ? 'hasChildren' : 'hasMany';
      const there = { entityType, foreign: field, heldBy: 'other', field, keepsLinked } as const;
      return [{ name, type, ...there, ...(columns && { columns }) }];
    },
  );
}
