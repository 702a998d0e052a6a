import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { fieldTypeOf, linkedTypesOf } from '../../../shared/domain/field/field-types.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { type AttributeValues, toObject } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import type { WriteRequest } from '../owner/command.ts';
import { decideChange } from '../records/input/decide-change.ts';
import type { Decide } from '../writer/submission.ts';

/** Changes references to some records into references to another record. Sent between instances as JSON. */
export interface Relinking {
  readonly entityType: string;
  readonly from: readonly string[];
  readonly to: string;
}

/** A field that can refer to records of an entity type. */
interface Referrer {
  readonly field: string;
  readonly kind: 'one' | 'many' | 'parent';
}

/** Returns the fields of an entity type that store ids of another entity type. */
export function referrersIn({ fields }: EntityModel, entityType: string): readonly Referrer[] {
  return [...fields].flatMap(([field, definition]) => {
    const { relation } = fieldTypeOf(definition);
    if (relation === undefined || definition.notStored === true) return [];
    return linkedTypesOf(definition).includes(entityType) ? [{ field, kind: kinds[relation] }] : [];
  });
}

const kinds = {
  belongsTo: 'one',
  hasOne: 'one',
  hasMany: 'many',
  belongsToParent: 'parent',
} as const;

/** Changes all references of a record to one of `from`. */
export async function prepareRelink(
  { actor, model, id, body: relinking }: WriteRequest<Relinking>,
  { resolveLinks }: CommandContext,
): Promise<Decide> {
  const referrers = referrersIn(model, relinking.entityType);
  const wanted = Object.assign({}, ...referrers.map((one) => linkValues(one, relinking)));
  const resolved = { ...wanted, ...(await resolveLinks({ model, values: wanted, actor })).values };
  return (state, { now }) => {
    const current = live(state, id);
    const after: AttributeValues = Object.assign(
      {},
      ...referrers
        .filter((one) => refers(one, current.values, relinking))
        .map((one) => relinked(one, { model, current: current.values, resolved, relinking })),
    );
    return decideChange(model, current, after, now);
  };
}

/** Returns new values for the target's links that contain its own sources, without these sources. */
export function withoutLinksTo(
  ids: readonly string[],
  { model, values }: { readonly model: EntityModel; readonly values: AttributeValues },
): AttributeValues {
  const relinking = { entityType: model.name, from: ids, to: '' };
  return Object.assign(
    {},
    ...referrersIn(model, model.name)
      .filter((one) => one.kind !== 'many' && refers(one, values, relinking))
      .map((one) => relinked(one, { model, current: values, resolved: {}, relinking })),
  );
}

function linkValues({ field, kind }: Referrer, { entityType, to }: Relinking): AttributeValues {
  if (kind === 'many') return { [`${field}Ids`]: [to] };
  return { [`${field}Id`]: to, ...(kind === 'parent' ? { [`${field}Type`]: entityType } : {}) };
}

function refers(
  { field, kind }: Referrer,
  current: AttributeValues,
  { entityType, from }: Relinking,
): boolean {
  if (kind === 'many') return idsIn(current[`${field}Ids`]).some((id) => from.includes(id));
  const isOther = kind === 'parent' && current[`${field}Type`] !== entityType;
  return !isOther && from.includes(String(current[`${field}Id`]));
}

interface RelinkContext {
  readonly model: EntityModel;
  readonly current: AttributeValues;
  /** The values of a link to the target, by attribute. */
  readonly resolved: AttributeValues;
  readonly relinking: Relinking;
}

function relinked(
  { field, kind }: Referrer,
  { model, current, resolved, relinking }: RelinkContext,
): AttributeValues {
  if (kind !== 'many') {
    const idAttribute = `${field}Id`;
    const following = model.attributes.filter(
      ({ through, name }) => through?.idAttribute === idAttribute || name === `${field}Name`,
    );
    const typed = kind === 'parent' ? [`${field}Type`] : [];
    const names = [idAttribute, ...typed, ...following.map(({ name }) => name)];
    return Object.fromEntries(names.map((name) => [name, resolved[name] ?? null]));
  }
  const { from, to } = relinking;
  const isFrom = (id: string) => from.includes(id);
  const ids = idsIn(current[`${field}Ids`]);
  const columns = toObject(current[`${field}Columns`]);
  const row = columns[to] ?? columns[ids.find(isFrom) ?? ''];
  const shown = {
    ...toObject(current[`${field}Names`]),
    ...toObject(resolved[`${field}Names`]),
  };
  return {
    [`${field}Ids`]: [...new Set(ids.map((id) => (isFrom(id) ? to : id)))],
    [`${field}Names`]: without(shown, isFrom),
    ...(model.attribute.has(`${field}Columns`) && row !== undefined
      ? { [`${field}Columns`]: { ...without(columns, isFrom), [to]: row } }
      : {}),
  };
}

function without(rows: AttributeValues, isGone: (id: string) => boolean): AttributeValues {
  return Object.fromEntries(Object.entries(rows).filter(([id]) => !isGone(id)));
}
