import { quotedColumn } from '../../db/tables/read-model-names.ts';
import { type EntityLink, linksOf } from '../../domain/entity/model/links.ts';
import { type AttributeKind, capitalized } from '../../domain/field/attribute.ts';
import { type FromLinked, linkedElsewhere } from './linked-elsewhere.ts';
import { valueCondition } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { unknownAttribute, type WhereItem } from './where-item.ts';

/** Maps conditions on columns of links to the corresponding condition on a single value. */
const valueTypes: Readonly<Record<string, string>> = {
  columnEquals: 'equals',
  columnNotEquals: 'notEquals',
  columnIn: 'in',
  columnNotIn: 'notIn',
  columnLike: 'like',
  columnNotLike: 'notLike',
  columnIsNull: 'isNull',
  columnIsNotNull: 'isNotNull',
};

export const columnConditionTypes: readonly string[] = Object.keys(valueTypes);

/**
 * Compiles a condition on a column of links (`accountRole` of a contact): at least one link of the record must match. If
 * the record has no links, the column counts as null. Returns undefined for other types of conditions.
 */
export function columnCondition(item: WhereItem, context: WhereContext): string | undefined {
  const type = Object.hasOwn(valueTypes, item.type) ? valueTypes[item.type] : undefined;
  if (type === undefined) return undefined;
  const { model, view, binder } = context;
  const name = item.attribute ?? '';
  const attribute = model.attribute.get(name);
  const columns = attribute && view.isVisible(attribute) ? columnsCalled(name, context) : [];
  const isAbsence = type === 'isNull' || (type === 'equals' && item.value === null);
  const conditions = columns.map(({ link, name: column, kind }) => {
    const linked = linksBy(link, context);
    if (linked === undefined) throw unknownAttribute(name);
    const { rows, columnsAt } = linked;
    const meeting = rows((there) => {
      const text = `${columnsAt(there)} ->> ${binder.bind(column)}::text`;
      const expression = kind === 'bool' ? `(${text} = 'true')` : `(${text})`;
      const value = { expression, kind, attribute: name, binder };
      return valueCondition({ ...item, type }, value) ?? 'false';
    });
    const met = `exists (select 1 ${meeting})`;
    return isAbsence ? `(${met} or not exists (select 1 ${rows()}))` : met;
  });
  if (conditions.length === 0) throw unknownAttribute(name);
  return `(${conditions.join(' or ')})`;
}

/**
 * Several links may have the column: `acceptanceStatus` covers meetings and calls, `acceptanceStatusMeetings` only
 * meetings.
 */
function columnsCalled(attribute: string, { model, findModel }: WhereContext) {
  return [...linksOf(model, findModel).values()].flatMap((link) =>
    Object.entries(link.columns ?? {}).flatMap(([name, column]) => {
      const called = link.heldBy === 'self' ? column.foreignAttribute : column.attribute;
      if (called === undefined) return [];
      const isCalled = [called, called + capitalized(link.name)].includes(attribute);
      const kind: AttributeKind = column.type === 'bool' ? 'bool' : 'string';
      return isCalled ? [{ link, name, kind }] : [];
    }),
  );
}

/** SQL for the links of a record, and, given the alias of a link's row, for the columns of that link. */
interface Links {
  readonly rows: FromLinked;
  readonly columnsAt: (there: string) => string;
}

/** Returns undefined if the links are closed to the actor. */
function linksBy(link: EntityLink, context: WhereContext): Links | undefined {
  const { model, view, alias } = context;
  if (link.heldBy === 'other') {
    const rows = linkedElsewhere(link.name, context);
    const held = quotedColumn({ name: `${link.field}Columns` });
    return rows && { rows, columnsAt: (there) => `${there}.${held} -> ${alias}.id` };
  }
  const [ids, columns] = [`${link.field}Ids`, `${link.field}Columns`].map((one) => {
    const attribute = model.attribute.get(one);
    return attribute && view.isVisible(attribute)
      ? `${alias}.${quotedColumn(attribute)}`
      : undefined;
  });
  if (ids === undefined || columns === undefined) return undefined;
  const from = `from unnest(${ids}) linked(id)`;
  return {
    rows: (condition) => (condition ? `${from} where ${condition('linked')}` : from),
    columnsAt: (there) => `${columns} -> ${there}.id`,
  };
}
