import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { idsIn } from './ids-in.ts';

/**
 * Keeps a primary link and its link to many consistent (docs/reference/espocrm-compatibility.md#primary-links). `after`
 * are the values to be written.
 */
export function withPrimaryLinks(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  let adjusted = after;
  for (const link of primaryLinks(model)) adjusted = inStep(link, current, adjusted);
  return adjusted;
}

interface PrimaryLink {
  readonly field: string;
  /** The link to many that contains it. */
  readonly many: string;
}

const primaryLinks = perModel(({ fields }): readonly PrimaryLink[] =>
  [...fields].flatMap(([field, { primaryOf: many }]) =>
    many === undefined ? [] : [{ field, many }],
  ),
);

function inStep(
  { field, many }: PrimaryLink,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  const primary = { id: `${field}Id`, name: `${field}Name` };
  const linked = { ids: `${many}Ids`, names: `${many}Names` };
  const set = after[primary.id];
  if (set !== undefined && set !== current[primary.id]) {
    return typeof set === 'string' ? joined({ ...primary, ...linked, set }, current, after) : after;
  }
  if (after[linked.ids] === undefined) return after;
  const id = current[primary.id];
  const left = idsIn(after[linked.ids]);
  if (typeof id === 'string' && left.includes(id)) return after;
  // A primary link that was removed is not replaced; if there was none, the first of the others becomes it.
  const next = typeof id === 'string' ? undefined : left[0];
  const names: AttributeValues = Object(after[linked.names] ?? current[linked.names]);
  const name = next === undefined ? null : (names[next] ?? null);
  return { ...after, [primary.id]: next ?? null, [primary.name]: name };
}

interface Joining {
  readonly name: string;
  readonly ids: string;
  readonly names: string;
  readonly set: string;
}

function joined(
  { name, ids, names, set }: Joining,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  const linked = idsIn(after[ids] ?? current[ids]);
  if (linked.includes(set)) return after;
  const known: AttributeValues = Object(after[names] ?? current[names]);
  return { ...after, [ids]: [...linked, set], [names]: { ...known, [set]: after[name] ?? null } };
}
