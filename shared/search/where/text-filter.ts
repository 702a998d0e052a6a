import {
  foldedText,
  foldedWhole,
  searchedAttributes,
  searchedText,
} from '../../db/sql/folded-text.ts';
import { wordIndexOf, wordsSignature } from '../../db/sql/searched-words.ts';
import { quotedColumn } from '../../db/tables/read-model-names.ts';
import { type EntityModel, textFilterFields } from '../../domain/entity/model/entity-model.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import { hasAmongSeveral } from './group-conditions.ts';
import { personNameConditions } from './person-name-conditions.ts';
import { rareParts } from './rare-parts.ts';
import { requireModestPattern } from './text-pattern.ts';
import { escapeLike } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { badWhere } from './where-item.ts';
import { type TextCondition, wordConditions } from './word-conditions.ts';

const MAX_LENGTH = 255;
/** Shorter texts would match nearly every long text. */
const MIN_LONG_TEXT_LENGTH = 4;
const MIN_DIGITS = 3;

/**
 * Compiles a text search (docs/reference/search.md#text-search): the words of the text begin words of the record, or a
 * long text contains the text. With `*`, which is a wildcard, or with the mode `espo`, a field of the record starts
 * with the text. Fields that the actor may not read are excluded. The conditions are alternatives, each of which is
 * served by a separate index, or by none.
 */
export function textConditions(filter: string, context: WhereContext): readonly TextCondition[] {
  const text = filter.trim();
  if (text.length > MAX_LENGTH)
    throw badWhere(
      `A text filter must have at most ${MAX_LENGTH} characters. Search for a part of it.`,
    );
  if (text.includes('\0') || !text.isWellFormed())
    throw badWhere('The text filter contains invalid text (NUL or an unpaired surrogate).');
  requireModestPattern(text, '*');
  if (text === '') return [unindexed('true')];
  const isByWords = !text.includes('*') && context.textMode !== 'espo' && hasWordIndex(context);
  const words = isByWords ? wordConditions(text, context) : undefined;
  const fields = textFilterFields(context.model);
  const others = fields.flatMap((name) =>
    otherField(name, text, { ...context, withDigits: words === undefined }),
  );
  const conditions = [
    ...(words ?? beginningConditions(text, context)),
    ...(others.length === 0 ? [] : [unindexed(`(${others.join(' or ')})`)]),
  ];
  return conditions.length === 0 ? [unindexed('false')] : conditions;
}

/** A condition without a separate form for scans. */
function unindexed(condition: string): TextCondition {
  return { indexed: condition, scanned: condition };
}

/**
 * True if the words of this type's records are indexed, or scanned because there are few records. While an upgrade
 * builds the index, searches compare the beginnings of fields.
 */
function hasWordIndex({ model, wordIndexes }: WhereContext): boolean {
  const index = wordIndexOf(model);
  return wordIndexes?.has(index?.name ?? wordsSignature) === true;
}

function beginningConditions(text: string, context: WhereContext): readonly TextCondition[] {
  return [
    ...beginnings(text, context),
    ...personNameConditions(text, context),
    ...otherAddresses(text, context),
  ].map(unindexed);
}

function beginnings(text: string, context: WhereContext): readonly string[] {
  const { model, view, alias, binder, findCommonTrigrams } = context;
  const pattern = toPattern(text);
  const conditions = searchedAttributes(model).flatMap((attribute) => {
    if (!view.isVisible(attribute) || (isOfGroup(model, attribute) && /\s/.test(text))) return [];
    const column = foldedText(model, attribute, `${alias}.`);
    return [`${column} like ${foldedWhole(`${binder.bind(pattern)}::text`)}`];
  });
  if (conditions.length === 0 || !text.includes('*')) return conditions;
  // Only the index on all texts combined serves searches in the middle of a text.
  const all = searchedText(model, `${alias}.`);
  const part = rareParts(text, findCommonTrigrams?.(model)) ?? pattern;
  const found = `${all} like ${foldedWhole(`${binder.bind(`%${part}%`)}::text`)}`;
  return [`(${found} and (${conditions.join(' or ')}))`];
}

/** Addresses other than the primary one match only in full. */
function otherAddresses(text: string, context: WhereContext): readonly string[] {
  const { model, view } = context;
  if (/\s/.test(text)) return [];
  return searchedAttributes(model).flatMap((attribute) => {
    if (!isOfGroup(model, attribute) || !view.isVisible(attribute)) return [];
    return [hasAmongSeveral([text], 'lower', { ...context, attribute })];
  });
}

/** True if the attribute belongs to a group of addresses, of which a record may have several. */
function isOfGroup({ fields }: EntityModel, { field }: Attribute): boolean {
  const definition = fields.get(field);
  return definition !== undefined && fieldTypeOf(definition).group !== undefined;
}

function otherField(
  name: string,
  text: string,
  context: WhereContext & { readonly withDigits: boolean },
): readonly string[] {
  const { model, view, alias, binder } = context;
  const attribute = model.attribute.get(name);
  if (attribute === undefined || !attribute.stored || !view.isVisible(attribute)) return [];
  const column = `${alias}.${quotedColumn(attribute)}`;
  const field = model.fields.get(attribute.field);
  switch (field && fieldTypeOf(field).search) {
    case 'number':
      return /^\d{1,9}$/.test(text) ? [`${column} = ${binder.bind(Number(text))}::int`] : [];
    case 'digits': {
      if (!context.withDigits) return [];
      const digits = text.replaceAll(/[^\d*]/g, '');
      if (digits.replaceAll('*', '').length < MIN_DIGITS) return [];
      return [`${column} like ${binder.bind(`%${digits.replaceAll('*', '%')}%`)}::text`];
    }
    case 'longText':
      return text.length < MIN_LONG_TEXT_LENGTH
        ? []
        : [
            `${foldedWhole(column)} like ${foldedWhole(`${binder.bind(`%${toPattern(text)}`)}::text`)}`,
          ];
    default:
      return [];
  }
}

function toPattern(text: string): string {
  return text.includes('*') ? escapeLike(text).replaceAll('*', '%') : `${escapeLike(text)}%`;
}
