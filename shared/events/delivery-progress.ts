/**
 * The recorded messages beyond a partition's position, stored as metadata of the committed offset, as in Confluent's
 * Parallel Consumer. The format is run lengths in base 36, joined by dots: open, done, open … The first run starts at the
 * position, which is always open.
 */
export interface RecordedProgress {
  /** In ascending order; the first one is the position. */
  readonly open: readonly bigint[];
  /** Offsets before this one are recorded unless they are open. Later offsets are unknown. */
  readonly end: bigint;
}

/** Brokers accept 4096 bytes (`offset.metadata.max.bytes`). */
const MAX_METADATA_LENGTH = 4_000;

/**
 * Returns the metadata, and the offset up to which it describes the progress. This offset is less than `end` if the
 * metadata would otherwise be too long. Offsets without a message (transaction markers) count as done.
 */
export function encodeProgress(
  { open, end }: RecordedProgress,
  maxLength = MAX_METADATA_LENGTH,
): { readonly metadata: string; readonly end: bigint } {
  let metadata = '';
  let reached = open[0] ?? end;
  let index = 0;
  while (reached < end) {
    const openFrom = reached;
    while (open[index] === reached) {
      reached += 1n;
      index += 1;
    }
    const next = open[index] ?? end;
    const doneTo = next < end ? next : end;
    const openRun = (reached - openFrom).toString(36);
    const longer = `${metadata}${metadata === '' ? '' : '.'}${openRun}.${(doneTo - reached).toString(36)}`;
    if (longer.length > maxLength) return { metadata, end: openFrom };
    metadata = longer;
    reached = doneTo;
  }
  return { metadata, end: reached };
}

/** Throws for malformed metadata: continuing without the metadata would record completions twice. */
export function decodeProgress(position: bigint, metadata: string): RecordedProgress {
  const open: bigint[] = [];
  let end = position;
  if (metadata === '') return { open, end };
  if (!/^([0-9a-z]+\.[0-9a-z]+)(\.[0-9a-z]+\.[0-9a-z]+)*$/.test(metadata)) {
    throw new Error(`invalid delivery progress at offset ${position}: ${metadata}`);
  }
  for (const [index, run] of metadata.split('.').entries()) {
    const length = BigInt(Number.parseInt(run, 36));
    if (index % 2 === 0) for (let offset = 0n; offset < length; offset++) open.push(end + offset);
    end += length;
  }
  return { open, end };
}
