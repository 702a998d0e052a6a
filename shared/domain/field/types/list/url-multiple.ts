import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { urlForm } from '../text/url.ts';
import { compileList, type ListSettings, listType } from './list-settings.ts';

/** A list of URLs. */
export const urlMultipleType: FieldType<
  FieldBase<'urlMultiple', readonly string[]> & ListSettings
> = {
  ...listType,
  name: 'urlMultiple',
  compileReader: (rule, definition) =>
    compileList(rule, { maxItemLength: 255, ...definition }, urlForm),
};
