import type { EntityModel } from '../domain/entity/entity-model.ts';
import { perModel } from '../domain/entity/per-model.ts';
import type { Attribute } from '../domain/field/attribute.ts';
import { boundedName, columnName, quotedColumn, quoteName } from './read-model-names.ts';
import { searchedAttributes } from './searched-attributes.ts';

/** What an entry of an index holds is limited, a text is not: so many characters of it are sorted and searched by. */
const FOLDED_LENGTH = 255;

interface FoldedColumn {
  readonly attribute: Attribute;
  readonly name: string;
  readonly type: string;
}

/**
 * The columns that Postgres keeps of texts which lists are sorted by or searches look at: in lower case and by code
 * points, whatever locale the database has. An index of such a column answers a search without a look at the table,
 * which one of the expression would not.
 */
export const foldedColumns = perModel((model: EntityModel): readonly FoldedColumn[] => {
  const name = model.attribute.get('name');
  const isSorted = name?.stored === true && name.kind === 'string';
  return [...new Set([...(isSorted ? [name] : []), ...searchedAttributes(model)])].map(
    (attribute) => ({
      attribute,
      // No attribute's name has a `$`.
      name: boundedName(`${columnName(attribute.name)}$folded`),
      type: `text collate "C" generated always as (${folded(quotedColumn(attribute))}) stored`,
    }),
  );
});

/** SQL of an attribute's text as it is sorted and compared. `prefix` is empty or an alias with its dot. */
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

/** SQL of any text as it is compared with such a column. */
export function folded(expression: string): string {
  return `lower(left(${expression}, ${FOLDED_LENGTH}))`;
}
