/** A part of a text; `href` is set if it is the address of a web page. */
interface TextPart {
  readonly text: string;
  readonly href?: string;
}

const webAddress = /(?:https?:\/\/|\bwww\.)[^\s<>"]+/gi;

/** Splits a text into web addresses and the text between them. */
export function splitLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(webAddress)) {
    const address = withoutPunctuation(found);
    const href = toHref(address);
    if (href === undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Drops the punctuation that ends a sentence, and a closing bracket that the address does not open. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  let unopened = address.split(')').length - address.split('(').length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!".,;:!?'*]}".includes(last)) break;
    end -= 1;
  }
  return address.slice(0, end);
}

function toHref(address: string): string | undefined {
  const url = /^www\./i.test(address) ? `https://${address}` : address;
  return URL.canParse(url) ? url : undefined;
}
