import { type EntityModel, textFilterFields } from '../../domain/entity/model/entity-model.ts';
import { perModel } from '../../domain/entity/model/per-model.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import {
  foldedColumnName,
  liveSchema,
  quotedColumn,
  quoteName,
} from '../tables/read-model-names.ts';

/**
 * The number of characters by which lists are sorted and searched. It is limited because the size of an index entry is.
 */
const FOLDED_LENGTH = 255;

interface FoldedColumn {
  readonly attribute: Attribute;
  readonly name: string;
  /** Returns SQL for the column's value, in a schema of the read model. */
  readonly expression: (schema: string) => string;
}

/**
 * Generated columns for texts by which lists are sorted or searched, case-folded and compared by code points
 * independently of the database's locale. An index on such a column can serve a search without reading the table; an
 * index on the expression could not.
 */
export const foldedColumns = perModel((model: EntityModel): readonly FoldedColumn[] => {
  const name = model.attribute.get('name');
  const isSorted = name?.stored === true && name.kind === 'string';
  return [...new Set([...(isSorted ? [name] : []), ...searchedAttributes(model)])].map(
    (attribute) => ({
      attribute,
      name: foldedColumnName(attribute.name),
      expression: (schema) => folded(quotedColumn(attribute), schema),
    }),
  );
});

/** Returns SQL for an attribute's text in the form in which lists sort and compare it. `prefix` is empty or an alias with its dot. */
export function foldedText(
  model: EntityModel,
  attribute: { readonly name: string },
  prefix: string,
): string {
  const column = foldedColumns(model).find((one) => one.attribute.name === attribute.name);
  return column === undefined
    ? `(${folded(prefix + quotedColumn(attribute))} collate "C")`
    : prefix + quoteName(column.name);
}

/**
 * Returns SQL that concatenates all searched texts of a record, so that a substring search in the result finds matches
 * in any of them. An index on it takes half the space of separate indexes. `prefix` is empty or an alias with its dot.
 * Undefined if the record has no such texts.
 */
export function searchedText(model: EntityModel, prefix: string): string | undefined {
  const texts = searchedAttributes(model).map(
    (attribute) => `coalesce(${foldedText(model, attribute, prefix)}, '')`,
  );
  return texts.length === 0 ? undefined : texts.join(" || ' ' || ");
}

/** Returns SQL for any text in the form in which it is compared with such a column. */
export function folded(expression: string, schema = liveSchema): string {
  return foldedWhole(`left(${expression}, ${FOLDED_LENGTH})`, schema);
}

/**
 * Returns SQL for a text of any length, or a LIKE pattern, without differences in case or in the composition of
 * characters.
 */
export function foldedWhole(expression: string, schema = liveSchema): string {
  return `${quoteName(schema)}.${foldFunction}(${expression})`;
}

/** Returns SQL for the folded addresses in the column of an e-mail address group, as an array. */
export function foldedAddresses(data: string, schema = liveSchema): string {
  return `${quoteName(schema)}.${addressesFunction}(${data})`;
}

/** The number identifies the rule: columns that were filled by another rule are refilled (refold-columns.ts). */
export const foldFunction = 'fold_1';
const addressesFunction = 'fold_addresses_1';

/**
 * Returns SQL that creates the functions for folding. Texts are folded only in Postgres, because JavaScript has
 * different rules, for example for the Greek final sigma. Existing functions are not replaced, because columns contain
 * their results. A dotless i is folded to i, since both have the capital I. Postgres before 18 has no case folding; its
 * upper and lower case depend on its locale.
 */
export function createFoldFunctions(schema: string, postgresVersion: number): string {
  const name = quoteName(schema);
  const decomposed = 'normalize($1, NFD)';
  const cased =
    postgresVersion >= 18
      ? `casefold(${decomposed} collate "pg_unicode_fast")`
      : `lower(upper(lower(${decomposed})))`;
  return `
    do $do$ begin
      if to_regprocedure('${name}.${foldFunction}(text)') is null then
        create function ${name}.${foldFunction}(text) returns text language sql immutable parallel safe
        return case when octet_length($1) = char_length($1) then lower($1 collate "C") collate "C"
          else normalize(translate(${cased}, 'ıς', 'iσ'), NFC) collate "C" end;
      end if;
      if to_regprocedure('${name}.${addressesFunction}(jsonb)') is null then
        create function ${name}.${addressesFunction}(jsonb) returns text[] language sql immutable parallel safe
        return array(select ${name}.${foldFunction}(entry ->> 'emailAddress') from jsonb_array_elements($1) entry);
      end if;
    end $do$;`;
}

/**
 * Returns the attributes whose beginning a text search compares: names and addresses, but not long texts and numbers.
 */
export function searchedAttributes(model: EntityModel): readonly Attribute[] {
  return textFilterFields(model).flatMap((name) => {
    const attribute = model.attribute.get(name);
    if (attribute?.stored !== true || attribute.kind !== 'string') return [];
    const field = model.fields.get(attribute.field);
    const { search = 'beginning' } = field === undefined ? {} : fieldTypeOf(field);
    return search === 'beginning' ? [attribute] : [];
  });
}
