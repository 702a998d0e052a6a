import { asInert, htmlOf } from './markup.ts';

const separators = /<(?:br|hr|\/(?:p|div|li|h\d|td|th|tr|pre|blockquote))\b/gi;

/** Returns the words of a rich text without its formatting, on one line. */
export function plainTextOf(text: string): string {
  const html = asInert(htmlOf(text)).replaceAll(separators, ' $&');
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const hidden of page.querySelectorAll('script, noframes, template, title')) hidden.remove();
  return (page.body.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
