import type { EntityModel } from './entity-model.ts';

/** Attributes that a search by text looks at, if the definition does not say (api-facts 4.4). */
const usual = ['name', 'emailAddress'];

export function textFilterFields({ name, definition, fields }: EntityModel): readonly string[] {
  if (definition.textFilterFields !== undefined) return definition.textFilterFields;
  if (name === 'User') return ['name', 'userName', 'emailAddress'];
  // A person's name begins with the first name.
  const isPerson = fields.get('name')?.type === 'personName';
  return [...usual.filter((field) => fields.has(field)), ...(isPerson ? ['lastName'] : [])];
}
