/** The ids of mentioned users, by `@` and the user name. */
export type Mentions = Readonly<Record<string, string>>;

/** Parses the mentions of a stream item's data. */
export function readMentions({ mentions }: Readonly<Record<string, unknown>>): Mentions {
  return Object.fromEntries(
    Object.entries(Object(mentions)).flatMap(([name, user]) => {
      const { id }: { readonly id?: unknown } = Object(user);
      return typeof id === 'string' ? [[name, id]] : [];
    }),
  );
}

/** A part of a text; `userId` is set if it mentions a user. */
interface TextPart {
  readonly text: string;
  readonly userId?: string;
}

const written = /(?<![\p{L}\p{N}_.-])@[a-z0-9@._-]{1,50}/giu;

/** Splits a text into mentions of users and the text between them. */
export function splitMentions(text: string, mentions: Mentions): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(written)) {
    // A sentence may end after a user name.
    const name = [found, found.replace(/[.@_-]+$/, '')].find((one) => Object.hasOwn(mentions, one));
    const userId = name === undefined ? undefined : mentions[name];
    if (name === undefined || userId === undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: name, userId });
    end = index + name.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
