import type { FieldDefinition } from './entity-definition.ts';

/** A field in the words that clients know (api-facts 7.1); what is Annals' own stays out. */
export function describeField(field: FieldDefinition): Readonly<Record<string, unknown>> {
  const { singleReadOnly: _, adminOnly: __, valueBy: ___, primaryOf: ____, ...shown } = field;
  const { counts: _____, attributeKind: ______, ...known } = shown;
  const { entityType, type, notStored, attribute, options, ...others } = known;
  const isLink = type === 'link' || type === 'linkMultiple';
  return {
    type,
    ...others,
    ...(options && { [type === 'phone' ? 'typeList' : 'options']: options }),
    ...(attribute !== undefined ? { field: attribute } : {}),
    ...(notStored === true ? { notStorable: true } : {}),
    ...(isLink && entityType !== undefined ? { entity: entityType } : {}),
  };
}
