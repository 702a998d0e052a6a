import { fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel } from './entity-model.ts';

/** Attributes that a text search looks at if the definition names none (docs/reference/search.md#text-search). */
const usual = ['name', 'emailAddress'];

export function textFilterFields({ definition, fields }: EntityModel): readonly string[] {
  if (definition.textFilterFields !== undefined) return definition.textFilterFields;
  // A composed name begins with the first of its fields, so only the others are added.
  const title = fields.get('name');
  const [first, ...others] = (title && fieldTypeOf(title).composedOf?.('name')) ?? [];
  const isLastFirst = title?.format?.startsWith('last') === true;
  if (isLastFirst && first !== undefined) others.unshift(first);
  return [...usual.filter((field) => fields.has(field)), ...others];
}
