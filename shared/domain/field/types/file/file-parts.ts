import type { AttributePart } from '../../field-type.ts';
import { besideIds } from '../link/linked-name.ts';

/** The entity type whose records stand for uploaded files. */
export const attachmentType = 'Attachment';

export interface FileSettings {
  /** Maximum size of a file, in MiB. */
  readonly maxFileSize?: number;
  /** Media types and name endings that it accepts: `image/*`, `application/pdf`, `.csv`. */
  readonly accept?: readonly string[];
}

/** The id and the name of a file. */
export function oneFile(field: string, example?: string): readonly AttributePart[] {
  return [
    { suffix: 'Id', kind: 'string', link: 'id', example },
    { suffix: 'Name', kind: 'string', ...ofFiles(field, 'Id', 'name') },
  ];
}

/** An attribute of the files beside their ids. */
export function ofFiles(field: string, suffix: 'Id' | 'Ids', attribute: 'name' | 'type') {
  const idAttribute = field + suffix;
  return besideIds({ link: field, idAttribute, entityType: attachmentType, attribute });
}
