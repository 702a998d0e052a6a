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
const MAX_ENDINGS = 5_000;
/** Headers, key and framing of one message. */
const OVERHEAD_BYTES = 120;

/** The first endings that fit into one transaction; at least one, if there is one. */
export function takePortion<Ending extends Portionable>(
  endings: readonly Ending[],
): { readonly portion: readonly Ending[]; readonly rest: readonly Ending[] } {
  const bytes = new Map<string, number>();
  let count = 0;
  for (const { messages } of endings) {
    for (const { topic, partition, value } of messages) {
      const place = `${topic}/${partition}`;
      bytes.set(place, (bytes.get(place) ?? 0) + value.length + OVERHEAD_BYTES);
    }
    const isFull = count >= MAX_ENDINGS || Math.max(...bytes.values()) > MAX_BYTES_PER_PARTITION;
    if (isFull && count > 0) break;
    count += 1;
  }
  return { portion: endings.slice(0, count), rest: endings.slice(count) };
}
