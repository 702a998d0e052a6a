import type { SendableRequest } from 'kafkajs/src/broker/index.js';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import Encoder from 'kafkajs/src/protocol/encoder.js';
import type { KafkaConnection } from './connection.ts';

export interface FoundLog {
  readonly clusterId: string;
  /** The requested topics that exist. */
  readonly topics: ReadonlyMap<string, FoundLogTopic>;
}

export interface FoundLogTopic {
  /** Base64url. Unique: a topic that is created again under the same name gets a different id. */
  readonly id: string;
  readonly partitions: number;
}

/** Queries one broker for the ids of the topics that exist. Throws Unavailable. */
export function readCluster(
  connection: KafkaConnection,
  topics: readonly string[],
): Promise<FoundLog> {
  return connection.onAnyBroker((broker) => broker.connectionPool.send(metadataRequest(topics)));
}

const METADATA_KEY = 3;
/** The first version whose response to a request by name includes ids. kafkajs supports versions up to 6. */
const METADATA_VERSION = 12;
const noId = Buffer.alloc(16);

/** Flexible version: the headers of request and response end with an empty list of tagged fields. */
function metadataRequest(topics: readonly string[]): SendableRequest<FoundLog> {
  return {
    request: {
      apiKey: METADATA_KEY,
      apiVersion: METADATA_VERSION,
      apiName: 'Metadata',
      async encode() {
        const encoder = new Encoder().writeUVarInt(0).writeUVarInt(topics.length + 1);
        for (const topic of topics) {
          encoder.writeBufferInternal(noId);
          encoder.writeUVarIntString(topic).writeUVarInt(0);
        }
        const allowsTopicCreation = false;
        const includesPermissions = false;
        return encoder
          .writeBoolean(allowsTopicCreation)
          .writeBoolean(includesPermissions)
          .writeUVarInt(0);
      },
    },
    response: { decode: async (bytes) => decodeMetadata(bytes), parse: async (answer) => answer },
  };
}

function decodeMetadata(bytes: Buffer): FoundLog {
  const decoder = new Decoder(bytes);
  decoder.readTaggedFields();
  decoder.readInt32(); // throttle time
  decoder.readUVarIntArray(skipBroker);
  const clusterId = decoder.readUVarIntString();
  decoder.readInt32(); // controller
  const topics = decoder.readUVarIntArray(readTopic) ?? [];
  if (clusterId === null) throw new Error('the broker did not return its cluster id');
  return { clusterId, topics: new Map(topics.flatMap((topic) => topic ?? [])) };
}

function skipBroker(decoder: Decoder): void {
  decoder.readInt32(); // id
  decoder.readUVarIntString(); // host
  decoder.readInt32(); // port
  decoder.readUVarIntString(); // rack
  decoder.readTaggedFields();
}

const UNKNOWN_TOPIC = 3;

function readTopic(decoder: Decoder): readonly [name: string, FoundLogTopic][] {
  const error = decoder.readInt16();
  const name = decoder.readUVarIntString() ?? '';
  const id = decoder.readBytes(16)?.toString('base64url') ?? '';
  decoder.readBoolean(); // internal
  const partitions = decoder.readUVarIntArray(skipPartition) ?? [];
  decoder.readInt32(); // rights
  decoder.readTaggedFields();
  if (error === UNKNOWN_TOPIC) return [];
  if (error !== 0) throw new Error(`the broker cannot describe ${name}: error ${error}`);
  return [[name, { id, partitions: partitions.length }]];
}

function skipPartition(decoder: Decoder): void {
  decoder.readInt16(); // error
  decoder.readInt32(); // partition
  decoder.readInt32(); // leader
  decoder.readInt32(); // leader epoch
  for (let list = 0; list < 3; list += 1) decoder.readUVarIntArray((one) => one.readInt32());
  decoder.readTaggedFields();
}
