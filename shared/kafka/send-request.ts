import type { Broker, SentRequests } from 'kafkajs/src/broker/index.js';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys.js';
import { requests } from 'kafkajs/src/protocol/requests/index.js';

/** Sends a request in the newest version that both the broker and kafkajs support. */
export function sendRequest<Name extends keyof SentRequests>(
  broker: Broker,
  name: Name,
  content: SentRequests[Name]['content'],
): Promise<SentRequests[Name]['answer']> {
  const createRequest = broker.lookupRequest<Name>(apiKeys[name], requests[name]);
  return broker.connectionPool.send(createRequest(content));
}
