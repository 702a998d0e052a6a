/** The beginning of a client's text in a form that fits a message, which is one line of Latin-1. */
export function printable(text: string): string {
  return text.slice(0, 50).replaceAll(/[^\x20-\x7e]/g, '?');
}
