import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readLinkId } from '../link/read-link.ts';
import { type FileSettings, oneFile } from './file-parts.ts';

/** One uploaded image. */
export const imageType: FieldType<FieldBase<'image', never> & FileSettings> = {
  name: 'image',
  isCreatable: true,
  holdsFiles: { isMany: false, onlyImages: true },
  carriers: ['Id'],
  sortedBy: ['Name'],
  parts: (field) => oneFile(field),
  compileReader: (rule) => (value, report) => readLinkId(rule, value, report),
};
