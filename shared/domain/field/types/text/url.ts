import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readUrl } from './read-url.ts';
import { shortLine, type TextSettings, textRule } from './text-settings.ts';

/** A web address. */
export interface UrlField extends FieldBase<'url', string>, TextSettings {
  /** The value must have `http://` or `https://`. */
  readonly protocolRequired?: boolean;
}

export const urlType: FieldType<UrlField> = {
  name: 'url',
  isCreatable: true,
  search: 'beginning',
  parts: () => [{ kind: 'string', example: 'https://example.com' }],
  compileReader(rule, definition) {
    const protocolRequired = definition.protocolRequired === true;
    const url = { ...textRule(rule, definition, shortLine), protocolRequired };
    return (value, report) => readUrl(url, value, report);
  },
};
