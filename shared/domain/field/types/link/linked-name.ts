import type { Attribute } from '../../attribute.ts';

/** A record id for examples in the OpenAPI document. */
export const exampleId = '6920300f5a1b2c3d4';

/** Returns the properties of an attribute that Annals looks up in the linked records. */
export function lookedUp(through: NonNullable<Attribute['through']>) {
  return { stored: false, writable: false, through };
}

/** Returns the properties of the attribute that contains the names of linked records. */
export function linkedName(link: string, idAttribute: string, entityType: string | undefined) {
  return lookedUp({ link, idAttribute, entityType: entityType ?? '', attribute: 'name' });
}
