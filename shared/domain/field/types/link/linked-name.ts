import type { Attribute } from '../../attribute.ts';

/** An example of an id. */
export const exampleId = '6920300f5a1b2c3d4';

/** An attribute of linked records that stands beside their ids. Annals looks it up. */
export function besideIds(through: NonNullable<Attribute['through']>) {
  return { stored: false, writable: false, through };
}

/** The names of linked records. */
export function linkedName(link: string, idAttribute: string, entityType: string | undefined) {
  return besideIds({ link, idAttribute, entityType: entityType ?? '', attribute: 'name' });
}
