import { foldedText, foldedWhole } from '../../db/sql/folded-text.ts';
import { quotedColumn } from '../../db/tables/read-model-names.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import { escapeLike, valueCondition } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import type { WhereItem } from './where-item.ts';

/** Longer texts only match names in display order. */
const MAX_WORDS = 6;

/**
 * Returns SQL for persons whose names match a text in an order other than the display order: `Ray Ann`, `Ray, Ann` and
 * `Ann Ray` all match Ann Mary Ray. The index on the last name serves each condition.
 */
export function personNameConditions(text: string, context: WhereContext): readonly string[] {
  const { model, alias, binder } = context;
  const parts = partsOfName('name', context);
  const words = text
    .replace(/\*+$/, '')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  if (parts === undefined || words.length > MAX_WORDS || words.join('').includes('*')) return [];
  const lastName = foldedText(model, parts.last, `${alias}.`);
  const firstName = foldedWhole(parts.first);
  const givenNames = foldedWhole(joined([parts.first, parts.middle]));
  const bound = (value: string) => foldedWhole(`${binder.bind(value)}::text`);
  return words.slice(1).flatMap((_, index) => {
    const head = words.slice(0, index + 1).join(' ');
    const tail = `${escapeLike(words.slice(index + 1).join(' '))}%`;
    return [
      `(${lastName} = ${bound(head)} and ${givenNames} like ${bound(tail)})`,
      `(${lastName} like ${bound(tail)} and ${bound(head)} in (${firstName}, ${givenNames}))`,
    ];
  });
}

/** Returns SQL for a condition on part of a person's name. Any common order of the name's parts may match. */
export function personNameCondition(
  item: WhereItem,
  attribute: Attribute,
  context: WhereContext,
): string | undefined {
  if (!inAnyOrder.has(item.type)) return undefined;
  const parts = partsOfName(attribute.name, context);
  if (parts === undefined) return undefined;
  const { alias, binder } = context;
  const { first, middle } = parts;
  const last = `${alias}.${quotedColumn(parts.last)}`;
  const spellings = [
    `${alias}.${quotedColumn(attribute)}`,
    joined([first, last]),
    joined([first, middle, last]),
    joined([last, first, middle]),
  ];
  const conditions = spellings.map((expression) =>
    valueCondition(item, { expression, kind: 'string', attribute: attribute.name, binder }),
  );
  return `(${conditions.join(' or ')})`;
}

const inAnyOrder: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'like']);

/** Returns undefined if the field is not a person's name whose parts the actor may read. */
function partsOfName(field: string, { model, view, alias }: WhereContext) {
  const definition = model.fields.get(field);
  const names = (definition && fieldTypeOf(definition).composedOf?.(field)) ?? [];
  const attributes = names.map((name) => model.attribute.get(name));
  const [first, middle, last] = attributes;
  if (first === undefined || last === undefined) return undefined;
  if (attributes.some((one) => one !== undefined && !view.isVisible(one))) return undefined;
  const column = (attribute: Attribute | undefined) =>
    attribute === undefined ? 'null::text' : `nullif(${alias}.${quotedColumn(attribute)}, '')`;
  return { first: column(first), middle: column(middle), last };
}

function joined(parts: readonly string[]): string {
  return `concat_ws(' ', ${parts.join(', ')})`;
}
