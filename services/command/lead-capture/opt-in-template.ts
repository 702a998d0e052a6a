import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import type { CommandContext } from '../context.ts';
import type { EmailText } from '../mail/email-texts.ts';
import { MAX_HTML_CHARACTERS } from '../mail/queue-email.ts';
import { requireModel } from './capture-lead.ts';
import { escapeHtml } from './escape-html.ts';

/** The text of an e-mail template. */
interface Template {
  readonly subject: string;
  readonly body: string;
  readonly isHtml: boolean;
}

interface FilledEmail extends EmailText {
  readonly html?: string;
}

/**
 * Returns the e-mail template of a capture; undefined if none is chosen, or if it was deleted, is empty or is too long.
 */
export async function readTemplate(
  { optInConfirmationEmailTemplateId: templateId }: AttributeValues,
  context: CommandContext,
): Promise<Template | undefined> {
  if (typeof templateId !== 'string') return undefined;
  const state = await context.readState(requireModel(context, 'EmailTemplate'), templateId);
  const { subject, body, isHtml } = state?.values ?? {};
  if (state?.deleted !== false || typeof body !== 'string' || body.trim() === '') return undefined;
  if (body.length > MAX_TEMPLATE_CHARACTERS) {
    context.log.warn({ templateId }, 'e-mail template is too long');
    return undefined;
  }
  return { subject: typeof subject === 'string' ? subject : '', body, isHtml: isHtml === true };
}

/** Leaves room for the values of the variables. */
const MAX_TEMPLATE_CHARACTERS = MAX_HTML_CHARACTERS - 2_000;

/**
 * Returns the text of the e-mail with the variables of the template replaced. A template without a link gets it at the
 * end. For clients that show no HTML, the usual text accompanies a template with HTML.
 */
export function fillTemplate(
  template: Template | undefined,
  { usual, link, now }: { readonly usual: EmailText; readonly link: string; readonly now: number },
): FilledEmail {
  if (template === undefined) return usual;
  const { subject: ofTemplate, body, isHtml } = template;
  const url = isHtml ? escapeHtml(link) : link;
  const anchor = isHtml ? `<a href="${url}">${url}</a>` : link;
  const at = formatDateTime(now);
  const values: Readonly<Record<string, string>> = {
    optInUrl: url,
    optInLink: anchor,
    optInDate: at.slice(0, 10),
    optInTime: at.slice(11, 16),
    optInDateTime: at.slice(0, 16),
  };
  const fill = (text: string) =>
    text.replaceAll(/\{(optIn\w+)\}/g, (variable, name: string) => values[name] ?? variable);
  const hasLink = /\{optIn(?:Url|Link)\}/.test(body);
  const end = isHtml ? `<p>${anchor}</p>` : `\n\n${link}\n`;
  const filled = hasLink ? fill(body) : fill(body) + end;
  const subject = fill(ofTemplate) || usual.subject;
  return isHtml ? { subject, text: usual.text, html: filled } : { subject, text: filled };
}
