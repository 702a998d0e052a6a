import { createHash } from 'node:crypto';
import type { LabelLanguage } from '../../../shared/domain/entity/labels/labels.ts';
import { escapeHtml } from './escape-html.ts';

/** The outcome of a visit to a link. */
export type OptInOutcome =
  | { readonly kind: 'confirmed'; readonly message: string | undefined }
  | { readonly kind: 'expired' | 'incomplete' | 'unknown' | 'failed' | 'later' };

type Text = readonly [title: string, text: string];

const incomplete: Text = [
  'The link is not valid',
  'Please open the whole link from the e-mail, or copy it into the address bar of your browser.',
];
const incompleteInGerman: Text = [
  'Der Link ist ungültig',
  'Bitte öffnen Sie den vollständigen Link aus der E-Mail oder kopieren Sie ihn in die Adresszeile Ihres Browsers.',
];

const texts: Readonly<Record<LabelLanguage, Readonly<Record<OptInOutcome['kind'], Text>>>> = {
  en: {
    confirmed: ['Thank you', 'Your e-mail address is confirmed.'],
    expired: [
      'The link has expired',
      'Please fill in the form again. You will then receive a new link.',
    ],
    incomplete,
    unknown: incomplete,
    failed: [
      'Your e-mail address could not be confirmed',
      'Please contact the sender of the e-mail.',
    ],
    later: [
      'Please try again later',
      'Your e-mail address cannot be confirmed at the moment. Please open the link again in a few minutes.',
    ],
  },
  de: {
    confirmed: ['Vielen Dank', 'Ihre E-Mail-Adresse ist bestätigt.'],
    expired: [
      'Der Link ist abgelaufen',
      'Bitte füllen Sie das Formular noch einmal aus. Sie erhalten dann einen neuen Link.',
    ],
    incomplete: incompleteInGerman,
    unknown: incompleteInGerman,
    failed: [
      'Ihre E-Mail-Adresse konnte nicht bestätigt werden',
      'Bitte wenden Sie sich an den Absender der E-Mail.',
    ],
    later: [
      'Bitte versuchen Sie es später noch einmal',
      'Ihre E-Mail-Adresse kann zurzeit nicht bestätigt werden. Bitte öffnen Sie den Link in einigen Minuten noch einmal.',
    ],
  },
};

const style =
  ':root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif}' +
  'body{margin:0}main{max-width:36rem;margin:0 auto;padding:2rem 1rem}' +
  'h1{font-size:1.5rem;line-height:1.25}p{overflow-wrap:anywhere}';

const styleHash = createHash('sha256').update(style).digest('base64');

export const optInPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The address of the page contains the id of the link.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

/** Returns the page that a visitor sees after opening a link. It needs no script. */
export function optInPage(outcome: OptInOutcome, language: LabelLanguage): string {
  const [title, usual] = texts[language][outcome.kind];
  const message = outcome.kind === 'confirmed' ? outcome.message : undefined;
  const paragraphs = (message ?? usual)
    .split(/\s*\n\s*/)
    .filter((one) => one !== '')
    .map((one) => `<p>${escapeHtml(one)}</p>`);
  return (
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${title}</title><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1>${paragraphs.join('')}</main></body></html>\n`
  );
}
