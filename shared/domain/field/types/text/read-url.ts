import { type Kept, type Report, refuse } from '../../attribute-rule.ts';
import { readText, type TextRule } from './read-text.ts';

export interface UrlRule extends TextRule {
  readonly protocolRequired: boolean;
}

/** A web address. Whether it may be requested (internal networks, for webhooks) is decided elsewhere. */
export function readUrl(rule: UrlRule, value: unknown, report: Report): Kept<string> {
  const url = readText(rule, value, report);
  if (typeof url !== 'string') return url;
  if (rule.protocolRequired) {
    return webForm.test(url)
      ? url
      : refuse(rule, 'valid', 'must be a URL that begins with http:// or https://', report);
  }
  return urlForm.test(url) ? url : refuse(rule, 'valid', 'must be a URL', report);
}

const login = String.raw`(?:[^\s@/?#<>"]+@)?`;
const host = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_.\-]*[\p{L}\p{M}\p{N}_])?\.?)`;
const rest = String.raw`(?::\d{1,5})?(?:[/?#][^\s<>"\p{Cc}]*)?`;
const webForm = new RegExp(`^https?://${login}${host}${rest}$`, 'iu');
/** Clients show a website as a link, and these schemes would run a script in the reader's browser. */
const noScript = '(?!(?:javascript|vbscript|data):)';
export const urlForm = new RegExp(
  `^${noScript}(?:[a-z][a-z0-9+.\\-]*://${login})?${host}${rest}$`,
  'iu',
);
