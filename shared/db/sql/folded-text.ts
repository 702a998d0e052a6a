import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { perModel } from '../../domain/entity/model/per-model.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { foldedColumnName, quotedColumn, quoteName } from '../tables/read-model-names.ts';
import { searchedAttributes } from './searched-attributes.ts';

/**
 * Lists are sorted and searched by this many characters of a text: an index entry has a maximum size, a text has none.
 */
const FOLDED_LENGTH = 255;

interface FoldedColumn {
  readonly attribute: Attribute;
  readonly name: string;
  readonly type: string;
}

/**
 * Generated columns for texts that lists are sorted by or that searches look at, in lower case and compared by code
 * points, whatever locale the database has. An index on such a column can answer a search without reading the table; an
 * index on the expression could not.
 */
export const foldedColumns = perModel((model: EntityModel): readonly FoldedColumn[] => {
  const name = model.attribute.get('name');
  const isSorted = name?.stored === true && name.kind === 'string';
  return [...new Set([...(isSorted ? [name] : []), ...searchedAttributes(model)])].map(
    (attribute) => ({
      attribute,
      name: foldedColumnName(attribute.name),
      type: `text collate "C" generated always as (${folded(quotedColumn(attribute))}) stored`,
    }),
  );
});

/** SQL for an attribute's text as it is sorted and compared. `prefix` is empty or an alias with its dot. */
export function foldedText(
  model: EntityModel,
  attribute: Pick<Attribute, 'name'>,
  prefix: string,
): string {
  const column = foldedColumns(model).find((one) => one.attribute.name === attribute.name);
  return column === undefined
    ? `(${folded(prefix + quotedColumn(attribute))} collate "C")`
    : prefix + quoteName(column.name);
}

/**
 * SQL for all searched texts of a record in one: a text that one of them contains is contained in this one. One index
 * on it takes half the space of an index on each. `prefix` is empty or an alias with its dot. Undefined if there are no
 * such texts.
 */
export function searchedText(model: EntityModel, prefix: string): string | undefined {
  const texts = searchedAttributes(model).map(
    (attribute) => `coalesce(${foldedText(model, attribute, prefix)}, '')`,
  );
  return texts.length === 0 ? undefined : texts.join(" || ' ' || ");
}

/** SQL for any text, in the form in which it is compared with such a column. */
export function folded(expression: string): string {
  return `lower(left(${expression}, ${FOLDED_LENGTH}))`;
}
