/** OIDs of the element types, fixed in Postgres's catalog (pg_type.dat). */
const elementOids = { text: 25, bytea: 17 } as const;

const HEADER_BYTES = 20;
const MAX_BYTES_PER_CODE_UNIT = 3;

/**
 * Encodes a parameter of type `text[]` or `bytea[]` in Postgres's binary format (as `array_recv` parses it). In the
 * text format, every cell would have to be escaped and unescaped, and bytes would double in size as hex. Values that
 * are neither bytes nor null are sent as text.
 */
export function toBinaryArray(
  element: keyof typeof elementOids,
  cells: readonly unknown[],
): Buffer {
  const texts = cells.map(toText);
  const array = Buffer.allocUnsafe(texts.reduce(addMaxLength, HEADER_BYTES));
  let at = array.writeInt32BE(texts.length === 0 ? 0 : 1);
  at = array.writeInt32BE(texts.includes(null) ? 1 : 0, at);
  at = array.writeInt32BE(elementOids[element], at);
  if (texts.length === 0) return array.subarray(0, at);
  at = array.writeInt32BE(texts.length, at);
  // The lower bound of the array's index.
  at = array.writeInt32BE(1, at);
  for (const text of texts) at = writeCell(array, text, at);
  return array.subarray(0, at);
}

type Cell = string | Uint8Array | null;

function toText(cell: unknown): Cell {
  if (cell === null || typeof cell === 'string' || cell instanceof Uint8Array) return cell;
  return String(cell);
}

function addMaxLength(length: number, cell: Cell): number {
  const units = typeof cell === 'string' ? cell.length * MAX_BYTES_PER_CODE_UNIT : cell?.length;
  return length + Int32Array.BYTES_PER_ELEMENT + (units ?? 0);
}

function writeCell(array: Buffer, cell: Cell, at: number): number {
  if (cell === null) return array.writeInt32BE(-1, at);
  const begin = at + Int32Array.BYTES_PER_ELEMENT;
  const length = typeof cell === 'string' ? array.write(cell, begin) : cell.length;
  if (typeof cell !== 'string') array.set(cell, begin);
  array.writeInt32BE(length, at);
  return begin + length;
}
