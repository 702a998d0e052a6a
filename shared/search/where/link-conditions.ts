import { anyIn } from '../../db/any-in.ts';
import { quotedColumn } from '../../db/read-model-names.ts';
import { printable } from '../../domain/printable.ts';
import { holdsAll } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { badWhere, toList, type WhereItem } from './where-item.ts';

/** Where the ids of a link stand. */
interface Link {
  readonly column: string;
  readonly isMany: boolean;
}

type Writer = (link: Link, ids: () => string) => string;

/** Conditions whose `attribute` names a link rather than an attribute; undefined for other types. */
export function linkCondition(item: WhereItem, context: WhereContext): string | undefined {
  const write = Object.hasOwn(writers, item.type) ? writers[item.type] : undefined;
  if (write === undefined) return undefined;
  const link = findLink(item.attribute ?? '', context);
  return write(link, () => `${context.binder.bind(readIds(item))}::text[]`);
}

function findLink(name: string, { model, view, alias }: WhereContext): Link {
  for (const [suffix, isMany] of [
    ['Id', false],
    ['Ids', true],
  ] as const) {
    const attribute = model.attribute.get(name + suffix);
    if (attribute?.field === name && attribute.stored && view.isVisible(attribute)) {
      return { column: `${alias}.${quotedColumn(attribute)}`, isMany };
    }
  }
  throw badWhere(`Not existing link '${printable(name)}' in where.`);
}

function readIds({ type, value }: WhereItem): readonly string[] {
  const ids = toList(value) ?? (typeof value === 'string' ? [value] : undefined);
  if (ids?.every((id) => typeof id === 'string' && !id.includes('\0'))) return ids.map(String);
  throw badWhere(`Where item '${type}' needs an id, or a list of ids.`);
}

const some = (column: string) => `coalesce(${column}, '{}')`;

const writers: Readonly<Record<string, Writer>> = {
  linkedWith: ({ column, isMany }, ids) =>
    isMany ? anyIn(column, `&& ${ids()}`) : `${column} = any(${ids()})`,
  notLinkedWith: ({ column, isMany }, ids) =>
    isMany
      ? `not ${some(column)} && ${ids()}`
      : `(${column} is null or ${column} <> all(${ids()}))`,
  linkedWithAll: ({ column, isMany }, ids) =>
    isMany ? holdsAll(column, ids()) : `${column} = all(${ids()})`,
  isLinked: ({ column, isMany }) =>
    isMany ? `cardinality(${some(column)}) > 0` : `${column} is not null`,
  isNotLinked: ({ column, isMany }) =>
    isMany ? `cardinality(${some(column)}) = 0` : `${column} is null`,
};

/** Types of conditions on links. */
export const linkConditionTypes: readonly string[] = Object.keys(writers);
