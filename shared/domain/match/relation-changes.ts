import type { EntityModel, FindModel } from '../entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../entity/model/links.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { Change, RecordEvent } from '../record/record-event.ts';
import type { AttributeValues } from '../value/attribute-values.ts';

/** Records that an event linked or unlinked, with the name of the link on one side. */
export interface RelationChange {
  /** The name of the webhook event: `Account.relate.contacts`. */
  readonly name: string;
  /** `{link, foreignType, relations: [{id, foreignId}]}`, with `id` of the webhook's own entity type. */
  readonly data: AttributeValues;
}

interface Target {
  readonly entityType: string;
  readonly id: string;
}

/**
 * Returns the links that an event adds and removes, seen from both sides. Every link is stored in a field of one
 * record, so the changes to that field are sufficient. A deletion unlinks nothing, because a restored record gets its
 * links back.
 */
export function relationChanges(
  { model, event }: { readonly model: EntityModel; readonly event: RecordEvent },
  changes: readonly Change[],
  findModel: FindModel,
): readonly RelationChange[] {
  if (event.type === 'Deleted') return [];
  const byAttribute = heldLinks(model, findModel);
  const links = new Set(changes.flatMap(({ attribute }) => byAttribute.get(attribute) ?? []));
  return [...links].flatMap((link) => {
    const before = targetsOf(link, event, 'before');
    const after = targetsOf(link, event, 'after');
    return [
      ...changesOf('relate', { model, link, event, targets: without(after, before) }, findModel),
      ...changesOf('unrelate', { model, link, event, targets: without(before, after) }, findModel),
    ];
  });
}

/** The links whose ids are stored in records of this type, by the attributes that store them. */
const heldLinks = perModel((model, findModel: FindModel): ReadonlyMap<string, EntityLink> => {
  const held = [...linksOf(model, findModel).values()].filter(({ heldBy }) => heldBy === 'self');
  return new Map(held.flatMap((link) => attributesOf(link).map((attribute) => [attribute, link])));
});

function attributesOf({ type, field }: EntityLink): readonly string[] {
  if (type === 'hasMany') return [`${field}Ids`];
  return type === 'belongsToParent' ? [`${field}Id`, `${field}Type`] : [`${field}Id`];
}

/** An event contains all attributes of a changed field, including unchanged attributes. */
function targetsOf(
  { type, field, entityType }: EntityLink,
  { changes }: RecordEvent,
  side: 'before' | 'after',
): readonly Target[] {
  const read = (name: string) => changes.find(({ attribute }) => attribute === name)?.[side];
  if (type === 'hasMany') {
    const ids = read(`${field}Ids`);
    return (Array.isArray(ids) ? ids : []).map((id) => ({
      entityType: entityType ?? '',
      id: String(id),
    }));
  }
  const id = read(`${field}Id`);
  const targetType = type === 'belongsToParent' ? read(`${field}Type`) : entityType;
  return typeof id === 'string' && typeof targetType === 'string'
    ? [{ entityType: targetType, id }]
    : [];
}

function without(targets: readonly Target[], others: readonly Target[]): readonly Target[] {
  return targets.filter(
    ({ entityType, id }) =>
      !others.some((other) => other.id === id && other.entityType === entityType),
  );
}

interface LinkChange {
  readonly model: EntityModel;
  readonly link: EntityLink;
  readonly event: RecordEvent;
  readonly targets: readonly Target[];
}

function changesOf(
  type: 'relate' | 'unrelate',
  { model, link, event: { recordId }, targets }: LinkChange,
  findModel: FindModel,
): readonly RelationChange[] {
  const [first] = targets;
  if (first === undefined) return [];
  const { entityType } = first;
  const here = {
    name: `${model.name}.${type}.${link.name}`,
    data: {
      link: link.name,
      foreignType: entityType,
      relations: targets.map(({ id }) => ({ id: recordId, foreignId: id })),
    },
  };
  const there = nameThere({ model, link, entityType }, findModel);
  if (there === undefined) return [here];
  const data = {
    link: there,
    foreignType: model.name,
    relations: targets.map(({ id }) => ({ id, foreignId: recordId })),
  };
  return [here, { name: `${entityType}.${type}.${there}`, data }];
}

/** The name of this link on the other side. */
function nameThere(
  { model, link, entityType }: Pick<LinkChange, 'model' | 'link'> & { readonly entityType: string },
  findModel: FindModel,
): string | undefined {
  const target = findModel(entityType);
  if (target === undefined) return undefined;
  return [...linksOf(target, findModel).values()].find(
    (other) =>
      other.heldBy === 'other' && other.entityType === model.name && other.field === link.field,
  )?.name;
}
