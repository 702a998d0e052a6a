/** Returns a text literal in SQL. Only for text from entity definitions: text from clients is bound as parameters. */
export function quoteText(text: string): string {
  if (text.includes('\0')) throw new Error('A text literal must not contain NUL.');
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
