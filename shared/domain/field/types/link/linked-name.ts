import type { Attribute } from '../../attribute.ts';

/** An id of a record, for examples. */
export const exampleId = '6920300f5a1b2c3d4';

/** What stands beside ids: an attribute of the records that they name. Annals looks it up. */
export function besideIds(through: NonNullable<Attribute['through']>) {
  return { stored: false, writable: false, through };
}

/** The names of the records that a link leads to. */
export function linkedName(link: string, idAttribute: string, entityType: string | undefined) {
  return besideIds({ link, idAttribute, entityType: entityType ?? '', attribute: 'name' });
}
