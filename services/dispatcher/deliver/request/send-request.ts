import { Agent, type Dispatcher, Pool } from 'undici';
import { AddressRefused } from '../../../../shared/net/connect/connect-first.ts';
import {
  AnswerTooLong,
  createGuardedConnector,
} from '../../../../shared/net/connect/guarded-connector.ts';
import type { TargetGuard } from '../../../../shared/net/find-addresses.ts';
import { type ObservedAnswer, observeAddress, observeAnswer } from './observe-answer.ts';

export interface OutgoingRequest {
  readonly origin: string;
  readonly path: string;
  /** Names and values alternate. */
  readonly headers: string[];
  readonly body: Buffer;
}

export type SendResult = (
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string }
) & { readonly observed?: ObservedAnswer };

export interface RequestSender {
  /** Makes one POST request. Never rejects, and does not follow redirects. */
  send(request: OutgoingRequest): Promise<SendResult>;
  /** Aborts running requests, which then fail. */
  close(): Promise<void>;
}

interface SenderOptions {
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  readonly maxRequestsPerHost: number;
  readonly guard: TargetGuard;
  /** The age at which a connection is closed, so that the receiver's address is checked again for the next one. */
  readonly maxConnectionAgeMs?: number;
}

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** The limit for a response's headers, informational responses, framing and body together. */
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_CONNECTION_AGE_MS = 60_000;

/**
 * How long an idle connection is kept if the receiver does not specify a time. Common servers close idle connections
 * after 2 s or more. A request on a connection that the receiver is closing is lost, and its batch then waits for a
 * whole retry period.
 */
const KEEP_ALIVE_MS = 1_500;
const MAX_KEEP_ALIVE_MS = 30_000;

/**
 * For each request, undici searches the connections to an origin twice, and reads the clock for each of them. With 200
 * connections, this accounts for a sixth of the cost of a small request, so connections are spread over several agents.
 */
const CONNECTIONS_PER_AGENT = 25;

export function createRequestSender(options: SenderOptions): RequestSender {
  const closing = new AbortController();
  const groups = createConnectionGroups(CONNECTIONS_PER_AGENT);
  const agents: Agent[] = [];
  return {
    async send(request) {
      const { origin } = request;
      const group = groups.enter(origin);
      const agent = agents[group] ?? createAgent(options, closing.signal);
      agents[group] = agent;
      const result = await sendOnce(agent, request, options.timeoutMs);
      groups.leave(origin, group);
      return result;
    },
    async close() {
      closing.abort();
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
  };
}

function createAgent(options: SenderOptions, closing: AbortSignal): Agent {
  return new Agent({
    connect: createGuardedConnector({
      guard: options.guard,
      timeoutMs: options.connectTimeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      closing,
    }),
    // For a single connection, undici would use a client without a pool, which does not support a maximum age.
    factory: (origin, poolOptions) => new Pool(origin, poolOptions),
    clientTtl: options.maxConnectionAgeMs ?? MAX_CONNECTION_AGE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // As many connections as concurrent requests, so that no request waits for a connection.
    connections: options.maxRequestsPerHost,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    // Both timeouts limit only idle time, so a receiver that sends single bytes evades them. The deadline below limits
    // the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/**
 * Makes one request with undici's dispatch(). Its request() would create a stream, an AbortSignal and a promise chain,
 * which account for half the cost of a small request. The deadline also ends a request that is still waiting for its
 * connection.
 */
function sendOnce(agent: Agent, request: OutgoingRequest, timeoutMs: number): Promise<SendResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;
    let status = 0;
    let receivedBytes = 0;
    const observer = observeAnswer();
    observeAddress(request.body, observer.sentTo);

    // Once the headers have arrived, only the status matters, even if reading the rest of the response fails.
    const settleWithout = (reason: string) =>
      settle(status >= 200 ? { kind: 'answered', status } : { kind: 'failed', reason });
    const settle = (result: SendResult) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(deadline);
      resolve({ ...result, observed: observer.observed() });
    };
    const deadline = setTimeout(() => {
      settleWithout(`no complete answer within ${timeoutMs} ms`);
      controller?.abort(new Error('deadline'));
    }, timeoutMs);

    agent.dispatch(
      { ...request, method: 'POST' },
      {
        onRequestStart(started) {
          if (isSettled) started.abort(new Error('deadline'));
          else controller = started;
          observer.started();
        },
        onResponseStart(_, statusCode, headers) {
          status = statusCode;
          observer.answered(headers);
        },
        onResponseData(_, chunk) {
          receivedBytes += chunk.length;
          observer.received(chunk);
          if (receivedBytes <= MAX_RESPONSE_BYTES) return;
          settle({ kind: 'answered', status });
          controller?.abort(new Error('answer too long'));
        },
        onResponseEnd() {
          settle({ kind: 'answered', status });
        },
        onResponseError(_, error) {
          settleWithout(describeFailure(error));
        },
      },
    );
  });
}

const MAX_REASON_LENGTH = 200;

function describeFailure(error: Error & { readonly code?: string }): string {
  if (error instanceof AnswerTooLong) return error.message;
  if (error instanceof AddressRefused) return `address refused: ${error.message}`;
  const cause = error.code ?? error.message;
  if (cause === 'UND_ERR_CONNECT_TIMEOUT') return 'no connection within the connect timeout';
  return `${describeMoment(error)}: ${cause}`.slice(0, MAX_REASON_LENGTH);
}

function describeMoment(error: Error): string {
  if (error.name === 'HeadersOverflowError') return 'answer has too many headers';
  if (error.name === 'HTTPParserError') return 'answer is not HTTP';
  return 'connection failed';
}

/** Distributes the running requests for each origin over groups of limited size, and fills the first groups first. */
export function createConnectionGroups(size: number) {
  const running = new Map<string, number[]>();
  return {
    /** Returns the group for a new request, counted from 0. */
    enter(origin: string): number {
      const counts = running.get(origin) ?? [];
      running.set(origin, counts);
      const free = counts.findIndex((count) => count < size);
      const group = free === -1 ? counts.length : free;
      counts[group] = (counts[group] ?? 0) + 1;
      return group;
    },
    leave(origin: string, group: number): void {
      const counts = running.get(origin) ?? [];
      counts[group] = (counts[group] ?? 0) - 1;
      if (counts.every((count) => count === 0)) running.delete(origin);
    },
  };
}
