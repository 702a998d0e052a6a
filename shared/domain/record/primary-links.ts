import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { idsIn } from './ids-in.ts';

/**
 * Keeps a primary link and its multiple link consistent (docs/reference/espocrm-compatibility.md#primary-links). `after`
 * contains the values to be written.
 */
export function withPrimaryLinks(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  return primaryLinks(model).reduce((adjusted, link) => inStep(link, current, adjusted), after);
}

/** The attributes of a primary link and of its multiple link. */
interface PrimaryLink {
  readonly id: string;
  readonly name: string;
  readonly ids: string;
  readonly names: string;
}

const primaryLinks = perModel(({ fields }): readonly PrimaryLink[] =>
  [...fields].flatMap(([field, { primaryOf: many }]) =>
    many === undefined
      ? []
      : [{ id: `${field}Id`, name: `${field}Name`, ids: `${many}Ids`, names: `${many}Names` }],
  ),
);

function inStep(
  link: PrimaryLink,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  const { id, name, ids, names } = link;
  if (after[id] !== undefined && after[id] !== current[id]) return joined(link, current, after);
  if (after[ids] === undefined) return after;
  const primary = current[id];
  const left = idsIn(after[ids]);
  if (typeof primary === 'string' && left.includes(primary)) return after;
  // A removed primary link is not replaced. If it was not set before, the first remaining link becomes primary.
  const next = typeof primary === 'string' ? undefined : left[0];
  const known: AttributeValues = Object(after[names] ?? current[names]);
  const nextName = next === undefined ? null : (known[next] ?? null);
  return { ...after, [id]: next ?? null, [name]: nextName };
}

/** Adds the primary link to its multiple link. */
function joined(
  { id, name, ids, names }: PrimaryLink,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  const primary = after[id];
  const linked = idsIn(after[ids] ?? current[ids]);
  if (typeof primary !== 'string' || linked.includes(primary)) return after;
  const known: AttributeValues = Object(after[names] ?? current[names]);
  const all = { ...known, [primary]: after[name] ?? null };
  return { ...after, [ids]: [...linked, primary], [names]: all };
}
