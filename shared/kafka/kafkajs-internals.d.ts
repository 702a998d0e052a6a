/**
 * The parts of kafkajs 2.2.4 below its public API that Annals uses (docs/adr/0002). They are stable: the version is
 * pinned, and the package is no longer developed.
 */
declare module 'kafkajs/src/cluster/index.js' {
  import type { Broker } from 'kafkajs/src/broker/index.js';

  export interface CoordinatorRequest {
    readonly groupId: string;
    /** 0: of a consumer group; 1: of a transactional id. */
    readonly coordinatorType: number;
  }

  export default class Cluster {
    constructor(options: Readonly<Record<string, unknown>>);
    connect(): Promise<void>;
    disconnect(): Promise<void>;
    /** The topics whose metadata is loaded with each refresh. */
    readonly targetTopics: ReadonlySet<string>;
    addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
    refreshMetadata(): Promise<void>;
    findTopicPartitionMetadata(topic: string): readonly {
      readonly partitionId: number;
      readonly leader: number;
      readonly replicas: readonly number[];
      readonly isr: readonly number[];
    }[];
    findBroker(node: { readonly nodeId: string }): Promise<Broker>;
    readonly brokerPool: {
      /** Null until the metadata has been loaded. */
      readonly metadata: { readonly topicMetadata: readonly { readonly topic: string }[] } | null;
      findConnectedBroker(): Promise<Broker>;
    };
    findGroupCoordinator(group: { readonly groupId: string }): Promise<Broker>;
    findGroupCoordinatorMetadata(question: CoordinatorRequest): Promise<unknown>;
  }
}

declare module 'kafkajs/src/protocol/encoder.js' {
  /** The encoder's methods for flexible request versions. Each of them returns the encoder itself. */
  export default class Encoder {
    writeBoolean(value: boolean): this;
    writeBufferInternal(bytes: Buffer): void;
    writeUVarInt(value: number): this;
    /** Writes a compact, nullable string. */
    writeUVarIntString(value: string | null): this;
  }
}

declare module 'kafkajs/src/protocol/decoder.js' {
  export default class Decoder {
    constructor(bytes: Buffer);
    readBoolean(): boolean;
    /** The default length is the number that precedes the bytes. */
    readBytes(length?: number): Buffer | null;
    readArray<Value>(read: (decoder: Decoder) => Value): readonly Value[];
    readArrayAsync<Value>(read: (decoder: Decoder) => Promise<Value>): Promise<readonly Value[]>;
    readInt16(): number;
    readInt32(): number;
    readInt64(): bigint;
    readString(): string;
    readTaggedFields(): unknown;
    readUVarIntArray<Value>(read: (decoder: Decoder) => Value): readonly Value[] | null;
    readUVarIntString(): string | null;
  }
}

declare module 'kafkajs/src/protocol/recordBatch/v0/decoder.js' {
  import type { RawMessage } from 'kafkajs/src/broker/index.js';
  import type Decoder from 'kafkajs/src/protocol/decoder.js';

  /** Decodes the batch at the start of the bytes. */
  export default function decodeBatch(
    decoder: Decoder,
  ): Promise<{ readonly records: readonly RawMessage[] }>;
}

declare module 'kafkajs/src/broker/index.js' {
  import type Encoder from 'kafkajs/src/protocol/encoder.js';

  export interface RawMessage {
    readonly offset: string;
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly timestamp: string;
    readonly headers: Readonly<Record<string, Buffer | undefined>>;
  }

  /** The partitions of a topic in a request or response. */
  interface OfTopic<Partition> {
    readonly topic: string;
    readonly partitions: readonly (Partition & { readonly partition: number })[];
  }

  /** The contents of the requests that `sendRequest` sends, and the responses to them. */
  export interface SentRequests {
    readonly Fetch: {
      readonly content: {
        readonly isolationLevel: number;
        readonly maxWaitTime: number;
        readonly minBytes: number;
        readonly maxBytes: number;
        readonly topics: readonly OfTopic<{
          readonly fetchOffset: string;
          readonly maxBytes: number;
        }>[];
      };
      /** The part that `parse` needs; decode-fetch.ts replaces `decode`. */
      readonly answer: {
        readonly responses: readonly {
          readonly partitions: readonly { readonly errorCode: number }[];
        }[];
      };
    };
    readonly JoinGroup: {
      readonly content: InstanceOfGroup & {
        readonly sessionTimeout: number;
        readonly rebalanceTimeout: number;
        readonly protocolType: string;
        readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
      };
      readonly answer: {
        readonly generationId: number;
        readonly leaderId: string;
        readonly memberId: string;
        /** Set for the leader only. */
        readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
      };
    };
    readonly SyncGroup: {
      readonly content: InstanceOfGroup & {
        readonly generationId: number;
        readonly groupAssignment: readonly {
          readonly memberId: string;
          readonly memberAssignment: Buffer;
        }[];
      };
      readonly answer: { readonly memberAssignment: Buffer };
    };
    readonly Heartbeat: {
      readonly content: InstanceOfGroup & { readonly groupGenerationId: number };
      readonly answer: unknown;
    };
  }

  interface InstanceOfGroup {
    readonly groupId: string;
    readonly memberId: string;
    readonly groupInstanceId: string;
  }

  /** The result of `lookupRequest`. `Answer` exists only for type inference. */
  export interface SendableRequest<Answer> {
    readonly request: {
      readonly apiKey: number;
      readonly apiVersion: number;
      readonly apiName: string;
      encode(): Promise<Encoder>;
    };
    readonly response: {
      decode(bytes: Buffer): Promise<Answer>;
      parse<Decoded extends Answer>(decoded: Decoded): Promise<Decoded>;
    };
  }

  export interface ProducedMessage {
    readonly key?: Buffer | string | null;
    readonly value: Buffer | string | null;
    readonly headers?: Readonly<Record<string, Buffer | string>>;
    /** Milliseconds since 1970. */
    readonly timestamp?: number | string;
  }

  export interface ProduceContent {
    readonly acks: number;
    readonly timeout: number;
    readonly transactionalId?: string | null;
    /** A 64-bit number. */
    readonly producerId?: string;
    readonly producerEpoch?: number;
    /** 0: none. */
    readonly compression?: number;
    readonly topicData: readonly OfTopic<{
      readonly firstSequence?: number;
      readonly messages: readonly ProducedMessage[];
    }>[];
  }

  /** All versions of a request, from which `lookupRequest` chooses. */
  export interface RequestDefinition<Content> {
    protocol(choice: { readonly version: number }): (content: Content) => {
      readonly request: {
        readonly apiKey: number;
        /** The body of the request. */
        encode(): Promise<{ readonly buf: Buffer; readonly buffer: Buffer }>;
      };
    };
  }

  export interface Broker {
    readonly nodeId: number | string;
    /** The versions that the broker supports, by API key. */
    readonly versions: Readonly<Record<number, { readonly maxVersion: number } | undefined>>;
    offsetCommit(request: {
      readonly groupId: string;
      readonly groupGenerationId: number;
      readonly memberId: string;
      readonly topics: readonly OfTopic<{ readonly offset: string }>[];
    }): Promise<unknown>;
    produce(request: ProduceContent): Promise<{
      readonly topics: readonly {
        readonly partitions: readonly { readonly baseOffset: string }[];
      }[];
    }>;
    /** Returns the newest version of a request that both the broker and kafkajs support. */
    lookupRequest<Name extends keyof SentRequests>(
      apiKey: number,
      request: unknown,
    ): (content: SentRequests[Name]['content']) => SendableRequest<SentRequests[Name]['answer']>;
    readonly connectionPool: { send<Answer>(request: SendableRequest<Answer>): Promise<Answer> };
    listOffsets(request: {
      readonly isolationLevel: number;
      readonly topics: readonly OfTopic<{ readonly timestamp: number }>[];
    }): Promise<{ readonly responses: readonly OfTopic<{ readonly offset: string }>[] }>;
    offsetFetch(request: {
      readonly groupId: string;
      readonly topics: readonly OfTopic<unknown>[];
    }): Promise<{
      readonly responses: readonly OfTopic<{
        readonly offset: string;
        readonly metadata: string | null;
      }>[];
    }>;
    describeGroups(request: { readonly groupIds: readonly string[] }): Promise<{
      readonly groups: readonly {
        /** Metadata is empty while the group is not stable. */
        readonly members: readonly { readonly memberMetadata: Buffer }[];
      }[];
    }>;
    leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
  }
}

declare module 'kafkajs/src/protocol/requests/apiKeys.js' {
  import type { SentRequests } from 'kafkajs/src/broker/index.js';

  const apiKeys: Readonly<Record<keyof SentRequests, number>>;
  export default apiKeys;
}

declare module 'kafkajs/src/protocol/requests/index.js' {
  import type {
    ProduceContent,
    RequestDefinition,
    SentRequests,
  } from 'kafkajs/src/broker/index.js';

  /** Each request, in all of its versions. */
  export const requests: Readonly<Record<keyof SentRequests, unknown>> & {
    Produce: RequestDefinition<ProduceContent>;
  };
}

declare module 'kafkajs/src/loggers/index.js' {
  export function createLogger(options: {
    readonly level: number;
    readonly logCreator: unknown;
  }): unknown;
}

declare module 'kafkajs/src/network/socketFactory.js' {
  export default function createSocketFactory(): unknown;
}

declare module 'kafkajs/src/network/requestQueue/index.js' {
  interface InflightRequest {
    readonly sentAt: number;
    /** In milliseconds. */
    readonly requestTimeout: number;
    timeoutRequest(): void;
  }

  export default class RequestQueue {
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    readonly pending: readonly unknown[];
    readonly inflight: ReadonlyMap<number, InflightRequest>;
    readonly isConnected: () => boolean;
    requestTimeoutIntervalId: NodeJS.Timeout | null;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    scheduleRequestTimeoutCheck(): void;
    destroy(): void;
  }
}
