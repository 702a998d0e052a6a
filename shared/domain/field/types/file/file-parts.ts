import type { Part } from '../../field-type.ts';
import { besideIds } from '../link/linked-name.ts';

/** The entity type whose records stand for uploaded files. */
export const attachmentType = 'Attachment';

export interface FileSettings {
  /** The largest file that it takes, in MiB. */
  readonly maxFileSize?: number;
  /** The types and name endings that it takes, `image/*`, `application/pdf`, `.csv`. */
  readonly accept?: readonly string[];
}

/** The id and the name of a file. */
export function oneFile(field: string, example?: string): readonly Part[] {
  return [
    { suffix: 'Id', kind: 'string', link: 'id', example },
    { suffix: 'Name', kind: 'string', ...ofFiles(field, 'Id', 'name') },
  ];
}

/** What is told of the files themselves beside their ids. */
export function ofFiles(field: string, suffix: 'Id' | 'Ids', attribute: 'name' | 'type') {
  const idAttribute = field + suffix;
  return besideIds({ link: field, idAttribute, entityType: attachmentType, attribute });
}
