interface OpenMention {
  /** The position of the `@`. */
  readonly start: number;
  /** The text between the `@` and the caret. */
  readonly typed: string;
}

const open = /(?:^|[\s(])@([\p{L}\p{N}_.@-]{0,50})$/u;

/** Longer than any mention, so that the search does not depend on the length of the text. */
const maxLength = 60;

/** Returns the mention that the user is typing at the caret. */
export function mentionAt(text: string, caret: number): OpenMention | undefined {
  const typed = open.exec(text.slice(Math.max(0, caret - maxLength), caret))?.[1];
  return typed === undefined ? undefined : { start: caret - typed.length - 1, typed };
}
