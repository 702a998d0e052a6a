/** Formats a number with its noun: `1 event`, `2 events`, `0 entries`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : toPlural(noun)}`;
}

function toPlural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:ch|s|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
