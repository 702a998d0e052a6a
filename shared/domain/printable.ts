/** The beginning of what a client sent, fit to stand in a message: those are one line of Latin-1. */
export function printable(text: string): string {
  return text.slice(0, 50).replaceAll(/[^\x20-\x7e]/g, '?');
}
