import { type EntryCodes, unverifiedCodes } from '../secrets/entry-codes.ts';
import type { KafkaConnection } from './connection.ts';

export interface Message {
  readonly key: string;
  readonly value: Buffer;
  readonly headers?: Readonly<Record<string, string | Buffer>>;
  /** In milliseconds since 1970; defaults to the time of the append. */
  readonly timestamp?: number;
}

/**
 * Appends messages to one partition as one batch, acknowledged by all in-sync replicas. Resolves with the offset of the
 * first message. After an error, such as a timeout, it is unknown whether the messages were appended or will be later.
 */
export type AppendMessages = (
  topic: string,
  partition: number,
  messages: readonly Message[],
) => Promise<bigint>;

const BROKER_TIMEOUT_MS = 5_000;

export function createAppendMessages(connection: KafkaConnection): AppendMessages {
  return (topic, partition, messages) =>
    connection.onLeader(topic, partition, async (broker) => {
      const response = await broker.produce({
        acks: -1,
        timeout: BROKER_TIMEOUT_MS,
        topicData: [{ topic, partitions: [{ partition, messages }] }],
      });
      const produced = response.topics[0]?.partitions[0];
      if (produced === undefined)
        throw new Error(`the broker returned no result for ${topic}/${partition}`);
      return BigInt(produced.baseOffset);
    });
}

/**
 * Like createAppendMessages, but adds codes that prove which installation wrote the messages, if the connection has
 * the key.
 */
export function createAppendCoded(connection: KafkaConnection): AppendMessages {
  const append = createAppendMessages(connection);
  const codes = connection.codes === unverifiedCodes ? undefined : connection.codes;
  return (topic, partition, messages) => {
    const place = { topic, partition };
    const coded = messages.map((message) => withCode(message, { codes, place }));
    return append(topic, partition, coded);
  };
}

/** Returns the message with its authentication code; unchanged without codes. */
export function withCode<Coded extends Message>(
  message: Coded,
  { codes, place, seals }: CodePlace,
): Coded {
  const code = codes?.headersOf(place, { value: message.value, seals });
  return code === undefined ? message : { ...message, headers: { ...message.headers, ...code } };
}

interface CodePlace {
  readonly codes: EntryCodes | undefined;
  readonly place: { readonly topic: string; readonly partition: number };
  /** Seals the log: after this fence, only entries with an authentication code count. */
  readonly seals?: boolean | undefined;
}
