/** A text constant in SQL. Only for text from entity definitions: what clients send travels as a parameter. */
export function quoteText(text: string): string {
  if (text.includes('\0')) throw new Error('a text constant must not hold NUL');
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
