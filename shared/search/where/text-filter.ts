import { quotedColumn } from '../../db/read-model-names.ts';
import { searchedAttributes, searchedText } from '../../db/searched-text.ts';
import type { Attribute } from '../../domain/entity/attributes.ts';
import { textFilterFields } from '../../domain/entity/text-filter-fields.ts';
import type { Binder } from './binder.ts';
import { anyEquals } from './group-conditions.ts';
import { escapeLike } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { badWhere } from './where-item.ts';

const maxLength = 255;
/** Shorter ones would be found nearly everywhere in long texts. */
const leastInLongText = 4;
const leastDigits = 3;

/**
 * SQL for a search by text (api-facts 4.4): a field of the entity type begins with it; long texts contain it. `*`
 * stands for anything. Fields that the actor may not read take no part.
 */
export function textCondition(filter: string, context: WhereContext): string {
  const text = filter.trim();
  if (text.length > maxLength) throw badWhere(`A text filter has at most ${maxLength} characters.`);
  if (text.includes('\0') || !text.isWellFormed()) throw badWhere('The text filter is no text.');
  if (text === '') return 'true';
  const conditions = [...beginnings(text, context), ...otherFields(text, context)];
  return conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`;
}

function beginnings(text: string, context: WhereContext): readonly string[] {
  const { model, view, alias, binder } = context;
  const pattern = toPattern(text);
  const conditions = searchedAttributes(model).flatMap((attribute) => {
    const isEmail = model.fields.get(attribute.field)?.type === 'email';
    if (!view.isVisible(attribute) || (isEmail && /\s/.test(text))) return [];
    return [begins(`${alias}.${quotedColumn(attribute)}`, pattern, binder)];
  });
  if (conditions.length === 0 || !text.includes('*')) return conditions;
  // What stands in the middle of a text only the index of all of them together finds.
  const all = searchedText(model, `${alias}.`);
  const found = `${all} like ${binder.bind(`%${pattern.toLowerCase()}%`)}::text`;
  return [`(${found} and (${conditions.join(' or ')}))`];
}

function otherFields(text: string, context: WhereContext): readonly string[] {
  return textFilterFields(context.model).flatMap((name) => otherField(name, text, context));
}

function otherField(name: string, text: string, context: WhereContext): readonly string[] {
  const { model, view, alias, binder } = context;
  const attribute = model.attribute.get(name);
  if (attribute === undefined || !attribute.stored || !view.isVisible(attribute)) return [];
  const column = `${alias}.${quotedColumn(attribute)}`;
  switch (model.fields.get(attribute.field)?.type) {
    case 'autoincrement':
    case 'int':
      return /^\d{1,9}$/.test(text) ? [`${column} = ${binder.bind(Number(text))}::int`] : [];
    case 'email':
      return /\s/.test(text) ? [] : [otherAddress(text, attribute, context)];
    case 'phone': {
      const digits = text.replaceAll(/[^\d*]/g, '');
      if (digits.replaceAll('*', '').length < leastDigits) return [];
      return [`${column} like ${binder.bind(`%${digits.replaceAll('*', '%')}%`)}::text`];
    }
    case 'text':
      return text.length < leastInLongText
        ? []
        : [`${column} ilike ${binder.bind(`%${toPattern(text)}`)}::text`];
    default:
      return [];
  }
}

/** In lower case on both sides, as the index of the column has it. */
function begins(column: string, pattern: string, binder: Binder): string {
  return `lower(${column}) like ${binder.bind(pattern.toLowerCase())}::text`;
}

/** An address that is not the record's primary one is found by its whole spelling. */
function otherAddress(text: string, { name, field }: Attribute, { alias, binder }: WhereContext) {
  return anyEquals([text.toLowerCase()], {
    data: `${alias}.${quotedColumn({ name: `${field}Data` })}`,
    primary: `${alias}.${quotedColumn({ name })}`,
    key: 'lower',
    binder,
  });
}

function toPattern(text: string): string {
  return text.includes('*') ? escapeLike(text).replaceAll('*', '%') : `${escapeLike(text)}%`;
}
