import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { exampleId } from '../link/linked-name.ts';
import { readLinkId } from '../link/read-link.ts';
import { type FileSettings, oneFile } from './file-parts.ts';

/** One uploaded file. */
export const fileType: FieldType<FieldBase<'file', never> & FileSettings> = {
  name: 'file',
  isCreatable: true,
  holdsFiles: { isMany: false, onlyImages: false },
  carriers: ['Id'],
  sortedBy: ['Name'],
  parts: (field) => oneFile(field, exampleId),
  compileReader: (rule) => (value, report) => readLinkId(rule, value, report),
};
