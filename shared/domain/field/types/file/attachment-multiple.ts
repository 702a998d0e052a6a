import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readLinkIds } from '../link/read-link.ts';
import { MAX_LIST_COUNT } from '../list/list-settings.ts';
import { type FileSettings, ofFiles } from './file-parts.ts';

/** Several uploaded files. */
export interface AttachmentMultipleField
  extends FieldBase<'attachmentMultiple', never>,
    FileSettings {
  readonly maxCount?: number;
}

export const attachmentMultipleType: FieldType<AttachmentMultipleField> = {
  name: 'attachmentMultiple',
  isCreatable: true,
  holdsFiles: { isMany: true, onlyImages: false },
  carriers: ['Ids'],
  isUnordered: true,
  layout: 'detail',
  parts: (field) => [
    { suffix: 'Ids', kind: 'strings', link: 'ids' },
    { suffix: 'Names', kind: 'json', ...ofFiles(field, 'Ids', 'name') },
    { suffix: 'Types', kind: 'json', ...ofFiles(field, 'Ids', 'type') },
  ],
  compileReader: (rule, { maxCount = MAX_LIST_COUNT }) => {
    const list = { ...rule, maxCount };
    return (value, report) => readLinkIds(list, value, report);
  },
};
