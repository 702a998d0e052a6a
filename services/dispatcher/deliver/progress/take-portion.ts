interface Portionable {
  readonly messages: readonly {
    readonly topic: string;
    readonly partition: number;
    readonly value: Buffer;
  }[];
}

/**
 * kafkajs puts all messages for a partition into one record batch, and brokers refuse more than 1 MiB
 * (`message.max.bytes`).
 */
const MAX_BYTES_PER_PARTITION = 800_000;
const MAX_COMPLETIONS = 5_000;
/** Headers, key and framing of one message. */
const OVERHEAD_BYTES = 120;

/** Returns the first completions that fit into one transaction, at least one if there are any. */
export function takePortion<Completion extends Portionable>(
  completions: readonly Completion[],
): { readonly portion: readonly Completion[]; readonly rest: readonly Completion[] } {
  const bytes = new Map<string, number>();
  let count = 0;
  for (const { messages } of completions) {
    for (const { topic, partition, value } of messages) {
      const place = `${topic}/${partition}`;
      bytes.set(place, (bytes.get(place) ?? 0) + value.length + OVERHEAD_BYTES);
    }
    const isFull =
      count >= MAX_COMPLETIONS || Math.max(...bytes.values()) > MAX_BYTES_PER_PARTITION;
    if (isFull && count > 0) break;
    count += 1;
  }
  return { portion: completions.slice(0, count), rest: completions.slice(count) };
}
