/** Returns the beginning of a client's text in printable ASCII, for use in single-line messages. */
export function printable(text: string): string {
  return text.slice(0, 50).replaceAll(/[^\x20-\x7e]/g, '?');
}
