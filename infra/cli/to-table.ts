/** Formats rows in columns that are as wide as their longest cell. Numbers are right-aligned. */
export function toTable(rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  );
  return rows.map((row, line) =>
    widths
      .map((width, column) => {
        const cell = String(row[column] ?? '');
        const below = rows[line + 1] ?? row;
        const isNumber = typeof (line === 0 ? below : row)[column] === 'number';
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
