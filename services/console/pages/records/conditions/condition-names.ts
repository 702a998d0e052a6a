import type { Entity } from '../../../api/metadata.ts';
import { attributesOf, isEntered } from '../../../fields/field-types.ts';
import { addressesOf, operatorsOf } from './operators.ts';

interface NameGroup {
  /** An address field, whose parts the group contains, or a kind of field. */
  readonly group: 'fields' | 'links' | 'more' | { readonly address: string };
  readonly names: readonly string[];
}

/** Fields that the server sets, but that people filter by. */
const wellKnown: ReadonlySet<string> = new Set([
  'name',
  'createdAt',
  'modifiedAt',
  'createdBy',
  'modifiedBy',
  'number',
]);

/** Groups the fields and links that can be filtered by. Fields whose values people cannot enter come last. */
export function groupNames(entity: Entity): readonly NameGroup[] {
  const { fields, links } = entity;
  const byLabel = (names: readonly string[]): readonly string[] =>
    names
      .filter((name) => operatorsOf(entity, name).length > 0)
      .toSorted((one, other) => entity.labelOf(one).localeCompare(entity.labelOf(other)));
  const isUsual = (name: string): boolean => {
    const field = fields[name];
    return field !== undefined && (isEntered(field) || wellKnown.has(name));
  };
  const names = Object.keys(fields);
  const groups: readonly NameGroup[] = [
    { group: 'fields', names: byLabel(names.filter(isUsual)) },
    ...addressesOf(entity).map((address) => ({
      group: { address },
      names: attributesOf(entity, address),
    })),
    { group: 'links', names: byLabel(Object.keys(links).filter((name) => !(name in fields))) },
    { group: 'more', names: byLabel(names.filter((name) => !isUsual(name))) },
  ];
  return groups.filter((one) => one.names.length > 0);
}
