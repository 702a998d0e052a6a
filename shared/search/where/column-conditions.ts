import { quotedColumn } from '../../db/tables/read-model-names.ts';
import { type EntityLink, linksOf } from '../../domain/entity/model/links.ts';
import type { AttributeKind } from '../../domain/field/attribute.ts';
import { capitalized } from '../../domain/field/attribute.ts';
import { columnKind } from '../../domain/field/types/link/link-column.ts';
import { linkedElsewhere } from './linked-elsewhere.ts';
import { valueCondition } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { unknownAttribute, type WhereItem } from './where-item.ts';

/** Conditions on columns of links, and the condition on a single value that each applies. */
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

/** A column of a link, under its name in lists of linked records. */
interface LinkColumn {
  readonly link: EntityLink;
  readonly name: string;
  readonly kind: AttributeKind;
}

/** SQL for the condition, given SQL for the column's value as text. */
type Condition = (value: string) => string;

/**
 * A condition on a column of links (`accountRole` of a contact): some link of the record has to meet it. Without any
 * link the column counts as null. Undefined for other types of conditions.
 */
export function columnCondition(item: WhereItem, context: WhereContext): string | undefined {
  const type = Object.hasOwn(valueTypes, item.type) ? valueTypes[item.type] : undefined;
  if (type === undefined) return undefined;
  const { model, view, binder } = context;
  const name = item.attribute ?? '';
  const attribute = model.attribute.get(name);
  const columns = attribute && view.isVisible(attribute) ? columnsCalled(name, context) : [];
  const isAbsence = type === 'isNull' || (type === 'equals' && item.value === null);
  const conditions = columns.map((column) => {
    const condition: Condition = (text) => {
      const { kind } = column;
      const expression = kind === 'bool' ? `(${text})::boolean` : `(${text})`;
      const value = { expression, kind, attribute: name, binder };
      return valueCondition({ ...item, type }, value) ?? 'false';
    };
    const rows = linkRows(column, context);
    if (rows === undefined) throw unknownAttribute(name);
    const met = `exists (${rows(condition)})`;
    return isAbsence ? `(${met} or not exists (${rows()}))` : met;
  });
  if (conditions.length === 0) throw unknownAttribute(name);
  return `(${conditions.join(' or ')})`;
}

/**
 * Several links may have the column: `acceptanceStatus` is that of meetings and of calls, `acceptanceStatusMeetings`
 * that of meetings alone.
 */
function columnsCalled(
  attribute: string,
  { model, findModel }: WhereContext,
): readonly LinkColumn[] {
  return [...linksOf(model, findModel).values()].flatMap((link) =>
    Object.entries(link.columns ?? {}).flatMap(([name, column]) => {
      const called = link.heldBy === 'self' ? column.foreignAttribute : column.attribute;
      if (called === undefined) return [];
      const isCalled = [called, called + capitalized(link.name)].includes(attribute);
      return isCalled ? [{ link, name, kind: columnKind(column) }] : [];
    }),
  );
}

/** SQL for the links of the record that meet a condition; undefined if they are closed to the actor. */
function linkRows(
  { link, name }: LinkColumn,
  context: WhereContext,
): ((condition?: Condition) => string) | undefined {
  const { alias, binder } = context;
  if (link.heldBy === 'self') return ownLinks({ link, name }, context);
  const linked = linkedElsewhere(link.name, context);
  const columns = quotedColumn({ name: `${link.field}Columns` });
  return (
    linked &&
    ((condition) =>
      `select 1 ${linked(
        condition &&
          ((there) =>
            condition(`${there}.${columns} -> ${alias}.id ->> ${binder.bind(name)}::text`)),
      )}`)
  );
}

function ownLinks(
  { link, name }: Pick<LinkColumn, 'link' | 'name'>,
  { model, view, alias, binder }: WhereContext,
): ((condition?: Condition) => string) | undefined {
  const [ids, columns] = [`${link.field}Ids`, `${link.field}Columns`].map((one) => {
    const attribute = model.attribute.get(one);
    return attribute && view.isVisible(attribute)
      ? `${alias}.${quotedColumn(attribute)}`
      : undefined;
  });
  if (ids === undefined || columns === undefined) return undefined;
  const rows = `select 1 from unnest(${ids}) linked(id)`;
  return (condition) =>
    condition === undefined
      ? rows
      : `${rows} where ${condition(`${columns} -> linked.id ->> ${binder.bind(name)}::text`)}`;
}
