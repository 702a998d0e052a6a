import type { AttributePart } from '../../field-type.ts';
import { lookedUp } from '../link/linked-name.ts';

/** The entity type of uploaded files. */
export const attachmentType = 'Attachment';

export interface FileSettings {
  /** Maximum size of a file, in MiB. */
  readonly maxFileSize?: number;
  /** Accepted media types and file name extensions: `image/*`, `application/pdf`, `.csv`. */
  readonly accept?: readonly string[];
}

/** Returns the parts for the id and name of a file. */
export function oneFile(field: string, example?: string): readonly AttributePart[] {
  return [
    { suffix: 'Id', kind: 'string', link: 'id', example },
    { suffix: 'Name', kind: 'string', ...ofFiles(field, 'Id', 'name') },
  ];
}

/** Returns the properties of an attribute that is looked up in the files. */
export function ofFiles(field: string, suffix: 'Id' | 'Ids', attribute: 'name' | 'type') {
  const idAttribute = field + suffix;
  return lookedUp({ link: field, idAttribute, entityType: attachmentType, attribute });
}
