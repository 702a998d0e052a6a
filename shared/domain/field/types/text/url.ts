import { invalid, type Kept, type Report, refuse } from '../../attribute-rule.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readText, type TextRule } from './read-text.ts';
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

export interface UrlRule extends TextRule {
  readonly protocolRequired: boolean;
}

/** Reads a URL. Does not check whether the URL may be requested (webhooks must not reach internal networks). */
export function readUrl(rule: UrlRule, value: unknown, report: Report): Kept<string> {
  const url = readText(rule, value, report);
  if (typeof url !== 'string') return url;
  if (rule.protocolRequired) {
    return webForm.test(url)
      ? url
      : refuse(
          rule,
          invalid('webUrl', 'must be a URL that starts with http:// or https://'),
          report,
        );
  }
  return urlForm.test(url) ? url : refuse(rule, invalid('url', 'must be a URL'), report);
}

const login = String.raw`(?:[^\s@/?#<>"]+@)?`;
const host = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_.\-]*[\p{L}\p{M}\p{N}_])?\.?)`;
const rest = String.raw`(?::\d{1,5})?(?:[/?#][^\s<>"\p{Cc}]*)?`;
const webForm = new RegExp(`^https?://${login}${host}${rest}$`, 'iu');
/** Clients render websites as links; these schemes could run a script in the browser. */
const noScript = '(?!(?:javascript|vbscript|data):)';
export const urlForm = new RegExp(
  `^${noScript}(?:[a-z][a-z0-9+.\\-]*://${login})?${host}${rest}$`,
  'iu',
);
