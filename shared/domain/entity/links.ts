import type { FieldDefinition } from './entity-definition.ts';
import type { EntityModel, FindModel } from './entity-model.ts';
import { perModel } from './per-model.ts';

/** How two entity types are linked, seen from one of them (api-facts 7.1). */
export interface EntityLink {
  readonly name: string;
  readonly type: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasChildren' | 'hasOne';
  /** On the other side; undefined for a parent, which may be of several types. */
  readonly entityType: string | undefined;
  /** The link over there that is this one seen from the other side, if it has a name. */
  readonly foreign: string | undefined;
  /** Where the ids stand: in a field of this record, or in that field of the others. */
  readonly heldBy: 'self' | 'other';
  /** Of this or the other entity type, as `heldBy` says. */
  readonly field: string;
  /** Values that belong to each link; they stand where the ids stand. */
  readonly columns?: FieldDefinition['columns'];
  /** A record over there that is linked is not taken away by linking it with another one from here. */
  readonly keepsLinked?: boolean;
}

/** Every link of an entity type by name. */
export const linksOf = perModel((model, findModel: FindModel): ReadonlyMap<string, EntityLink> => {
  const links = [...ownLinks(model, findModel), ...foreignLinks(model, findModel)];
  return new Map(links.map((link) => [link.name, link]));
});

function ownLinks(model: EntityModel, findModel: FindModel): readonly EntityLink[] {
  return [...model.fields].flatMap(([name, definition]): readonly EntityLink[] => {
    const { type, entityType, columns } = definition;
    const held = { name, heldBy: 'self', field: name } as const;
    if (type === 'linkParent') {
      return [{ ...held, type: 'belongsToParent', entityType: undefined, foreign: undefined }];
    }
    if (type !== 'link' && type !== 'linkOne' && type !== 'linkMultiple') return [];
    const target = findModel(entityType ?? '');
    if (target === undefined) return [];
    const foreign = definition.foreign ?? foreignName(model, name, target);
    return [
      { ...held, type: ownTypes[type], entityType: target.name, foreign, ...withColumns(columns) },
    ];
  });
}

const ownTypes = { link: 'belongsTo', linkOne: 'hasOne', linkMultiple: 'hasMany' } as const;

/** What the other side calls this link: in its definition's links, or in a field that is its other side. */
function foreignName(model: EntityModel, name: string, target: EntityModel): string | undefined {
  const named = Object.entries(target.definition.links ?? {}).find(
    ([, link]) => link.entityType === model.name && link.foreign === name,
  );
  const one = [...target.fields].find(
    ([, field]) =>
      field.type === 'linkOne' && field.entityType === model.name && field.foreign === name,
  );
  return (named ?? one)?.[0];
}

function withColumns(columns: FieldDefinition['columns']) {
  return columns === undefined ? {} : { columns };
}

function foreignLinks(model: EntityModel, findModel: FindModel): readonly EntityLink[] {
  return Object.entries(model.definition.links ?? {}).flatMap(
    ([name, { entityType, foreign: field, keepsLinked }]): readonly EntityLink[] => {
      const held = findModel(entityType)?.fields.get(field);
      if (held === undefined) return [];
      const type = held.type === 'linkParent' ? 'hasChildren' : 'hasMany';
      const there = { entityType, foreign: field, heldBy: 'other', field } as const;
      const kept = keepsLinked === true ? { keepsLinked } : {};
      return [{ name, type, ...there, ...withColumns(held.columns), ...kept }];
    },
  );
}
