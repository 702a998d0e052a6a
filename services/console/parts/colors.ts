/** Colours of the theme that differ clearly, also for most colour-blind people. */
const colors = ['lake', 'orange', 'grape', 'teal', 'pink', 'yellow', 'indigo', 'gray'] as const;

/** Returns the name of a colour of the theme. */
export function colorAt(index: number): string {
  return colors[Math.max(0, index) % colors.length] ?? 'lake';
}
