import { allOf, anyIn } from '../../db/sql/conditions.ts';
import { liveTable, quotedColumn } from '../../db/tables/read-model-names.ts';
import { mayReadField } from '../../domain/access/actor.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../domain/entity/model/links.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import type { WhereContext } from './where-context.ts';

/** Returns SQL (`from … where …`) for the linked records that meet `condition`, which receives their alias. */
export type FromLinked = (condition?: (alias: string) => string) => string;

/**
 * Compiles a link whose ids are stored on the other side: an account's contacts, the lead converted to it. Records that
 * the actor may not read count as not linked. Returns undefined if the link does not exist or is not visible to the
 * actor.
 */
export function linkedElsewhere(name: string, context: WhereContext): FromLinked | undefined {
  const { model, findModel } = context;
  const link = linksOf(model, findModel).get(name);
  const target = findModel(link?.entityType ?? '');
  if (link === undefined || target === undefined) return undefined;
  const alias = `"${context.alias.replaceAll('"', '')}_${name.toLowerCase()}"`;
  const there = { model: target, alias };
  const conditions =
    link.heldBy === 'other' ? linkedRows(link, there, context) : oneRow(name, there, context);
  if (conditions === undefined) return undefined;
  return (condition) =>
    `from ${liveTable(target.name)} ${alias} where ${allOf(...conditions, condition?.(alias))}`;
}

/** The entity type on the other side, with its alias. */
interface There {
  readonly model: EntityModel;
  readonly alias: string;
}

function linkedRows(
  link: EntityLink,
  there: There,
  context: WhereContext,
): readonly (string | undefined)[] | undefined {
  const { model: target, alias } = there;
  const view = context.viewOf(target);
  const holds = target.attributes.filter(({ field, stored }) => field === link.field && stored);
  if (!holds.every(view.isVisible)) return undefined;
  return [
    holdsId(link, there, { model: context.model, id: `${context.alias}.id` }),
    `not ${alias}.deleted`,
    view.rows(target, alias),
    view.listed(alias),
  ];
}

function oneRow(name: string, there: There, context: WhereContext): readonly string[] | undefined {
  const id = context.model.attribute.get(`${name}Id`);
  if (id === undefined || !context.view.isVisible(id)) return undefined;
  return linkedOneRows(name, there, context);
}

/** Returns SQL for rows of the other side that contain a record's id; `id` is SQL as well. */
export function holdsId(
  { type, field }: Pick<EntityLink, 'type' | 'field'>,
  { model: target, alias }: There,
  { model, id }: { readonly model: EntityModel; readonly id: string },
): string {
  const column = (name: string) => `${alias}.${quotedColumn({ name })}`;
  if (type === 'hasChildren') {
    // No escaping needed: names of entity types consist of letters and digits.
    return `${column(`${field}Id`)} = ${id} and ${column(`${field}Type`)} = '${model.name}'`;
  }
  return target.attribute.has(`${field}Ids`)
    ? anyIn(column(`${field}Ids`), `@> array[${id}]`)
    : `${column(`${field}Id`)} = ${id}`;
}

/**
 * Returns SQL conditions over `alias`, a row of the other side's table, for a link to one record that is stored on the
 * other side. The conditions match the newest readable row with the record's id, which is the one that records show.
 * Returns undefined for other links.
 */
export function linkedOneRows(
  link: string,
  { model: target, alias }: { readonly model: EntityModel; readonly alias: string },
  { actor, model, view, alias: record }: WhereContext,
): readonly string[] | undefined {
  const field = model.fields.get(link);
  if (field?.foreign === undefined || fieldTypeOf(field).relation !== 'hasOne') return undefined;
  const { foreign } = field;
  if (!mayReadField(actor, target, foreign)) return ['false'];
  const column = quotedColumn({ name: `${foreign}Id` });
  const open = (one: string) => `not ${one}.deleted and ${view.rows(target, one) ?? 'true'}`;
  const newer = '"newer"';
  return [
    `${alias}.${column} = ${record}.id`,
    open(alias),
    `not exists (select 1 from ${liveTable(target.name)} ${newer}` +
      ` where ${newer}.${column} = ${alias}.${column} and ${newer}.id > ${alias}.id and ${open(newer)})`,
  ];
}
