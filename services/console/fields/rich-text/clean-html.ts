import createPurifier from 'dompurify';
import { asInert, type ImageSource, imageSourceOf, linkTargetOf } from './markup.ts';

const purifier = createPurifier(window);

const tags =
  'a b blockquote br caption code col colgroup dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins ' +
  'li mark ol p pre s small span strike strong sub sup table tbody td tfoot th thead tr u ul';
const attributes = 'align alt colspan dir href lang rowspan scope src start title data-style';
/** Set by the editor on text that is cut or copied, so that the same structure is pasted. */
const copyMark = 'data-pm-slice';

const config = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: [...attributes.split(' '), copyMark],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

type RemoteImage = Extract<ImageSource, { readonly kind: 'remote' }>;
/** Returns the text of the link that replaces an image. */
export type ImageText = (image: RemoteImage, alternative: string) => string;

/**
 * Returns the content of untrusted HTML that is safe to show: text, headings, lists, tables, links that open another
 * tab, and images of this server. A link replaces an image of another server, so that the server cannot detect who
 * reads the text.
 */
export function cleanHtml(html: string, imageText: ImageText): DocumentFragment {
  const fragment = purifier.sanitize(asInert(html), config);
  for (const element of fragment.querySelectorAll('[data-style]')) applyEmphasis(element);
  for (const link of fragment.querySelectorAll('a')) restrictLink(link);
  for (const image of fragment.querySelectorAll('img')) restrictImage(image, imageText);
  return fragment;
}

/** Returns the content of untrusted HTML as HTML. */
export function cleanMarkup(html: string, imageText: ImageText): string {
  const fragment = cleanHtml(html, imageText);
  const container = fragment.ownerDocument.createElement('div');
  container.append(fragment);
  return container.innerHTML;
}

/** Replaces styles with elements: bold, italic, and the bold elements of normal weight that some editors copy. */
function applyEmphasis(element: Element): void {
  const style = element.getAttribute('data-style') ?? '';
  element.removeAttribute('data-style');
  const [, weight = ''] = /\bfont-weight\s*:\s*(\w+)/i.exec(style) ?? [];
  const isBold = /^bold/i.test(weight) || Number(weight) >= 600;
  const isItalic = /\bfont-style\s*:\s*italic/i.test(style);
  if (element.localName === 'b' && weight !== '' && !isBold) {
    element.replaceWith(...element.childNodes);
  } else if (element.localName === 'span') {
    if (isBold) wrapContent(element, 'strong');
    if (isItalic) wrapContent(element, 'em');
  }
}

function wrapContent(element: Element, name: 'em' | 'strong'): void {
  const wrapper = element.ownerDocument.createElement(name);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}

function restrictLink(link: HTMLAnchorElement): void {
  const target = linkTargetOf(link.getAttribute('href') ?? '');
  if (target === undefined) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.setAttribute('href', target);
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer nofollow');
}

function restrictImage(image: HTMLImageElement, imageText: ImageText): void {
  const source = imageSourceOf(image.getAttribute('src') ?? '');
  const alternative = image.getAttribute('alt')?.trim() ?? '';
  if (source === undefined) {
    image.replaceWith(alternative);
    return;
  }
  if (source.kind !== 'remote') {
    image.setAttribute('src', source.address);
    image.setAttribute('alt', alternative);
    image.setAttribute('loading', 'lazy');
    return;
  }
  const text = imageText(source, alternative);
  if (image.closest('a') !== null) {
    image.replaceWith(text);
    return;
  }
  const link = image.ownerDocument.createElement('a');
  link.textContent = text;
  link.setAttribute('href', source.address);
  restrictLink(link);
  image.replaceWith(link);
}
