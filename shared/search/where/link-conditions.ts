import { anyIn } from '../../db/sql/conditions.ts';
import { quotedColumn } from '../../db/tables/read-model-names.ts';
import { printable } from '../../domain/printable.ts';
import { type FromLinked, linkedElsewhere } from './linked-elsewhere.ts';
import { holdsAll } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { badWhere, toList, type WhereItem } from './where-item.ts';

/** The column that stores the ids of a link. */
interface Link {
  readonly column: string;
  readonly isMany: boolean;
}

/** Compiles a condition on ids that are stored in the record itself (`here`) or on the other side (`elsewhere`). */
interface Writer {
  readonly here: (link: Link, ids: () => string) => string;
  readonly elsewhere: (linked: FromLinked, item: WhereItem, context: WhereContext) => string;
}

/** Compiles conditions whose `attribute` is the name of a link; undefined for other types of conditions. */
export function linkCondition(item: WhereItem, context: WhereContext): string | undefined {
  const write = Object.hasOwn(writers, item.type) ? writers[item.type] : undefined;
  if (write === undefined) return undefined;
  const name = item.attribute ?? '';
  const linked = linkedElsewhere(name, context);
  if (linked !== undefined) return write.elsewhere(linked, item, context);
  const link = findLink(name, context);
  if (link === undefined) throw badWhere(`Not existing link '${printable(name)}' in where.`);
  return write.here(link, () => `${context.binder.bind(idsOfItem(item))}::text[]`);
}

/** Returns undefined if the record does not store such a link or the actor may not see it. */
export function findLink(name: string, { model, view, alias }: WhereContext): Link | undefined {
  const ids = [`${name}Id`, `${name}Ids`]
    .map((one) => model.attribute.get(one))
    .find((one) => one?.field === name && one.stored && view.isVisible(one));
  return ids && { column: `${alias}.${quotedColumn(ids)}`, isMany: ids.name === `${name}Ids` };
}

export function idsOfItem({ type, value }: WhereItem): readonly string[] {
  const ids = toList(value) ?? (typeof value === 'string' ? [value] : undefined);
  if (ids?.every((id) => typeof id === 'string' && !id.includes('\0'))) return ids.map(String);
  throw badWhere(`Where item '${type}' needs an id, or a list of ids.`);
}

const some = (column: string) => `coalesce(${column}, '{}')`;
const exists = (rows: string) => `exists (select 1 ${rows})`;
const linkedAmong = (linked: FromLinked, ids: readonly string[], { binder }: WhereContext) =>
  linked((alias) => `${alias}.id = any(${binder.bind(ids)}::text[])`);

const writers: Readonly<Record<string, Writer>> = {
  linkedWith: {
    here: ({ column, isMany }, ids) =>
      isMany ? anyIn(column, `&& ${ids()}`) : `${column} = any(${ids()})`,
    elsewhere: (linked, item, context) => exists(linkedAmong(linked, idsOfItem(item), context)),
  },
  notLinkedWith: {
    here: ({ column, isMany }, ids) =>
      isMany
        ? `not ${some(column)} && ${ids()}`
        : `(${column} is null or ${column} <> all(${ids()}))`,
    elsewhere: (linked, item, context) =>
      `not ${exists(linkedAmong(linked, idsOfItem(item), context))}`,
  },
  linkedWithAll: {
    here: ({ column, isMany }, ids) =>
      isMany ? holdsAll(column, ids()) : `${column} = all(${ids()})`,
    elsewhere(linked, item, context) {
      const ids = [...new Set(idsOfItem(item))];
      return `(select count(*) ${linkedAmong(linked, ids, context)}) = ${ids.length}`;
    },
  },
  isLinked: {
    here: ({ column, isMany }) =>
      isMany ? `cardinality(${some(column)}) > 0` : `${column} is not null`,
    elsewhere: (linked) => exists(linked()),
  },
  isNotLinked: {
    here: ({ column, isMany }) =>
      isMany ? `cardinality(${some(column)}) = 0` : `${column} is null`,
    elsewhere: (linked) => `not ${exists(linked())}`,
  },
};

/** The types of conditions on links. */
export const linkConditionTypes: readonly string[] = Object.keys(writers);
