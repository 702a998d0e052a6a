import type { EntityModel, FindModel } from './entity-model.ts';

/** How two entity types are linked, seen from one of them (api-facts 7.1). */
export interface EntityLink {
  readonly name: string;
  readonly type: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasChildren';
  /** On the other side; undefined for a parent, which may be of several types. */
  readonly entityType: string | undefined;
  /** The link over there that is this one seen from the other side, if it has a name. */
  readonly foreign: string | undefined;
  /** Where the ids stand: in a field of this record, or in that field of the others. */
  readonly heldBy: 'self' | 'other';
  /** Of this or the other entity type, as `heldBy` says. */
  readonly field: string;
}

const linksByModel = new WeakMap<EntityModel, ReadonlyMap<string, EntityLink>>();

/** Every link of an entity type by name. */
export function linksOf(model: EntityModel, findModel: FindModel): ReadonlyMap<string, EntityLink> {
  const known = linksByModel.get(model);
  if (known !== undefined) return known;
  const links = [...ownLinks(model, findModel), ...foreignLinks(model, findModel)];
  const built = new Map(links.map((link) => [link.name, link]));
  linksByModel.set(model, built);
  return built;
}

function ownLinks(model: EntityModel, findModel: FindModel): readonly EntityLink[] {
  return [...model.fields].flatMap(([name, { type, entityType }]): readonly EntityLink[] => {
    const held = { name, heldBy: 'self', field: name } as const;
    if (type === 'linkParent') {
      return [{ ...held, type: 'belongsToParent', entityType: undefined, foreign: undefined }];
    }
    if (type !== 'link' && type !== 'linkMultiple') return [];
    const target = findModel(entityType ?? '');
    if (target === undefined) return [];
    const foreign = Object.entries(target.definition.links ?? {}).find(
      ([, link]) => link.entityType === model.name && link.foreign === name,
    )?.[0];
    const kind = type === 'link' ? 'belongsTo' : 'hasMany';
    return [{ ...held, type: kind, entityType: target.name, foreign }];
  });
}

function foreignLinks(model: EntityModel, findModel: FindModel): readonly EntityLink[] {
  return Object.entries(model.definition.links ?? {}).flatMap(
    ([name, { entityType, foreign: field }]): readonly EntityLink[] => {
      const type = findModel(entityType)?.fields.get(field)?.type;
      if (type === undefined) return [];
      const kind = type === 'linkParent' ? 'hasChildren' : 'hasMany';
      return [{ name, type: kind, entityType, foreign: field, heldBy: 'other', field }];
    },
  );
}
