import { fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel } from './entity-model.ts';

/** Attributes matched by text search if the definition names none (docs/reference/search.md#text-search). */
const usual = ['name', 'emailAddress'];

export function textFilterFields({ definition, fields }: EntityModel): readonly string[] {
  if (definition.textFilterFields !== undefined) return definition.textFilterFields;
  // Skip the first part of a composed name: matching the beginning of the name already covers it.
  const title = fields.get('name');
  const [first, ...others] = (title && fieldTypeOf(title).composedOf?.('name')) ?? [];
  const isLastFirst = title?.format?.startsWith('last') === true;
  if (isLastFirst && first !== undefined) others.unshift(first);
  return [...usual.filter((field) => fields.has(field)), ...others];
}
