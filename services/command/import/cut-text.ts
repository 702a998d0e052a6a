/** Returns the beginning of a text, without half of a character outside the basic plane at the end. */
export function cutText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
