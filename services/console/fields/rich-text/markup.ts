/** Returns a rich text as HTML. Some clients store plain text, whose line breaks HTML would ignore. */
export function htmlOf(text: string): string {
  return /<[a-z!/]/i.test(text) ? text : text.replaceAll(/\r\n?|\n/g, '<br>');
}

/**
 * Prepares HTML for parsing. Browsers report styles, event handlers and base addresses to the content security policy
 * even if they parse a document that is never shown. Those attributes get the prefix `data-`, style elements become
 * elements whose content is ignored, and base elements become elements without a meaning.
 */
export function asInert(html: string): string {
  return html
    .replaceAll(/<(\/?)style\b/gi, '<$1noframes')
    .replaceAll(/<(\/?)base\b/gi, '<$1no-base')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replaceAll(/([\s"'/])(style|on[a-z]+)(?=\s*=)/gi, '$1data-$2'),
    );
}

/** Where the image of a rich text comes from: a file of this server, the text itself, or another server. */
export type ImageSource =
  | { readonly kind: 'file' | 'inline'; readonly address: string }
  | { readonly kind: 'remote'; readonly address: string; readonly host: string };

const inlineImage = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i;
/** How rich texts refer to attachments: by the path of the API, or as other clients write it. */
const attachment =
  /^(?:\/api\/v1\/Attachment\/file\/|(?:\/|\.\/)?\?entryPoint=attachment&(?:amp;)?id=)([\w-]{1,64})$/;

/** Returns the source of an image; undefined if the address is invalid. */
export function imageSourceOf(address: string): ImageSource | undefined {
  if (inlineImage.test(address)) return { kind: 'inline', address };
  const [, id] = attachment.exec(address) ?? [];
  if (id !== undefined) return { kind: 'file', address: `/api/v1/Attachment/file/${id}` };
  const url = URL.parse(address.startsWith('//') ? `https:${address}` : address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return { kind: 'remote', address: url.href, host: url.host };
}

/** Returns the target of a link; undefined if it is not a web, mail or phone address. */
export function linkTargetOf(address: string): string | undefined {
  const trimmed = address.trim();
  if (/^(?:https?|mailto|tel):/i.test(trimmed)) return trimmed;
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#:]|$)/i.test(trimmed)
    ? `https://${trimmed}`
    : undefined;
}
