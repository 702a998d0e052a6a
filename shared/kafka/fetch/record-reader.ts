export type RecordReader = ReturnType<typeof createRecordReader>;

const MORE = 0x80;
const BITS = 0x7f;

/**
 * Reads the fields of records. Does not check limits: fields beyond the end of the buffer are zero or empty, and the
 * caller compares the position with the end of the record.
 */
export function createRecordReader(buffer: Buffer, start: number) {
  let at = start;

  function byte(): number {
    return buffer[at++] ?? 0;
  }

  /** Reads a 32-bit number in zigzag encoding. */
  function varInt(): number {
    let last = byte();
    let bits = last & BITS;
    for (let shift = 7; last >= MORE; shift += 7) {
      last = byte();
      bits |= (last & BITS) << shift;
    }
    return (bits >>> 1) ^ -(bits & 1);
  }

  /** Reads a 64-bit number in zigzag encoding. Numbers above 2^53 are rounded. */
  function varLong(): number {
    let last = byte();
    const isNegative = (last & 1) === 1;
    let half = (last & BITS) >>> 1;
    for (let factor = MORE / 2; last >= MORE; factor *= MORE) {
      last = byte();
      half += (last & BITS) * factor;
    }
    return isNegative ? -half - 1 : half;
  }

  /** Returns the position after the next field, which is preceded by its length; -1 if the field is null. */
  function endOfField(): number {
    const length = varInt();
    return length < 0 ? -1 : at + length;
  }

  return {
    at: () => at,
    varInt,
    varLong,
    skip(bytes: number): void {
      at += bytes;
    },
    bytes(): Buffer | null {
      const end = endOfField();
      if (end === -1) return null;
      const field = buffer.subarray(at, end);
      at = end;
      return field;
    },
    text(): string | null {
      const end = endOfField();
      if (end === -1) return null;
      const field = buffer.toString('utf8', at, end);
      at = end;
      return field;
    },
  };
}
