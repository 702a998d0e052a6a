import { lexer, type Token, type Tokens } from 'marked';

/** A part of a post's text, formatted by the Markdown that people type. */
export type PostPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code' | 'codeBlock'; readonly text: string }
  | { readonly kind: 'break' | 'rule' }
  | { readonly kind: 'link'; readonly href: string; readonly parts: readonly PostPart[] }
  | { readonly kind: 'orderedList'; readonly start: number; readonly parts: readonly PostPart[] }
  | {
      readonly kind:
        | 'paragraph'
        | 'heading'
        | 'bold'
        | 'italic'
        | 'struck'
        | 'quote'
        | 'list'
        | 'item';
      readonly parts: readonly PostPart[];
    };

/** Limits the time that the parser takes for text such as thousands of brackets. */
const longestFormatted = 20_000;
const deepest = 12;

/** Parses the Markdown of a post. HTML, tables and other Markdown remain text. */
export function parsePost(text: string): readonly PostPart[] {
  const unformatted = [asText(text)];
  if (text.length > longestFormatted) return unformatted;
  try {
    return toParts(lexer(text, { gfm: true, breaks: true }), 0);
  } catch (error) {
    // Thousands of nested quotes exceed the stack of the parser.
    if (error instanceof RangeError) return unformatted;
    throw error;
  }
}

/** Returns the text of a post without its formatting, in one line. */
export function plainPost(text: string): string {
  return plain(parsePost(text)).trim().replaceAll(/\s+/g, ' ');
}

const blocks: readonly PostPart['kind'][] = ['paragraph', 'heading', 'item', 'codeBlock'];

function plain(parts: readonly PostPart[]): string {
  return parts
    .map((part) => {
      const inner = 'text' in part ? part.text : 'parts' in part ? plain(part.parts) : ' ';
      return blocks.includes(part.kind) ? `${inner} ` : inner;
    })
    .join('');
}

const wrappers = {
  paragraph: 'paragraph',
  heading: 'heading',
  strong: 'bold',
  em: 'italic',
  del: 'struck',
  blockquote: 'quote',
} as const;

function toParts(tokens: readonly Token[], depth: number): readonly PostPart[] {
  return joinTexts(tokens.flatMap((token) => toPart(token, depth) ?? []));
}

/** HTML in the text consists of several tokens. */
function joinTexts(parts: readonly PostPart[]): readonly PostPart[] {
  return parts.reduce<PostPart[]>((joined, part) => {
    const last = joined.at(-1);
    if (last?.kind !== 'text' || part.kind !== 'text') joined.push(part);
    else joined.splice(-1, 1, asText(last.text + part.text));
    return joined;
  }, []);
}

function toPart(token: Token, depth: number): PostPart | readonly PostPart[] | undefined {
  if (depth > deepest) return asText(token.raw);
  const inner = (): readonly PostPart[] =>
    toParts(('tokens' in token ? token.tokens : undefined) ?? [], depth + 1);
  switch (token.type) {
    case 'space':
      return undefined;
    case 'br':
      return { kind: 'break' };
    case 'hr':
      return { kind: 'rule' };
    case 'escape':
      return asText(token.text);
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? inner() : asText(token.text);
    case 'codespan':
      return { kind: 'code', text: token.text };
    case 'code':
      return { kind: 'codeBlock', text: token.text };
    case 'checkbox':
      return asText(token.checked === true ? '☑ ' : '☐ ');
    case 'link': {
      const href = toHref(token as Tokens.Link);
      return href === undefined ? asText(token.raw) : { kind: 'link', href, parts: inner() };
    }
    case 'list':
      return toList(token as Tokens.List, depth);
    default:
      return Object.hasOwn(wrappers, token.type)
        ? { kind: wrappers[token.type as keyof typeof wrappers], parts: inner() }
        : asText(token.raw);
  }
}

function toList({ ordered, start, items }: Tokens.List, depth: number): PostPart {
  const parts = items.map(({ tokens }) => ({
    kind: 'item' as const,
    parts: toParts(tokens, depth + 1),
  }));
  return ordered
    ? { kind: 'orderedList', start: Number(start) || 1, parts }
    : { kind: 'list', parts };
}

function asText(text: string): PostPart {
  return { kind: 'text', text };
}

/** Returns the address of a link; undefined if it leads to anything but a web page or an e-mail address. */
function toHref({ href, raw }: Tokens.Link): string | undefined {
  const url = /^www\./i.test(raw) ? `https://${raw}` : href;
  return /^(?:https?:\/\/|mailto:)/i.test(url) && URL.canParse(url) ? url : undefined;
}
