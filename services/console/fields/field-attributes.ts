import type { Entity } from '../api/metadata.ts';

/** The attributes that a field is shown with. */
export function attributesOf(entity: Entity, name: string): readonly string[] {
  const type = entity.fields[name]?.type ?? '';
  const suffixes = suffixesByType[type];
  if (type.startsWith('range')) {
    const part = name.charAt(0).toUpperCase() + name.slice(1);
    return [`from${part}`, `to${part}`];
  }
  return suffixes === undefined ? [name] : suffixes.map((suffix) => `${name}${suffix}`);
}

const suffixesByType: Readonly<Record<string, readonly string[]>> = {
  address: ['Street', 'City', 'State', 'PostalCode', 'Country'],
  attachmentMultiple: ['Ids', 'Names'],
  currency: ['', 'Currency'],
  datetimeOptional: ['', 'Date'],
  file: ['Id', 'Name'],
  image: ['Id', 'Name'],
  link: ['Id', 'Name'],
  linkMultiple: ['Ids', 'Names'],
  linkOne: ['Id', 'Name'],
  linkParent: ['Id', 'Type', 'Name'],
};
