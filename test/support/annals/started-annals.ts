import type { KafkaAccess } from '../../../infra/local/kafka/kafka-access.ts';
import type { Receiver } from './start-receiver.ts';

export interface StartAnnalsOptions {
  /**
   * Any environment variable of the services. Webhooks are sent immediately unless WEBHOOK_QUEUE_INTERVAL is
   * set.
   */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Ports of this machine on which webhook receivers of the test listen; with containers, they have to listen
   * on all of its addresses.
   */
  readonly receiverPorts?: readonly number[];
  /** Runs each part in a container instead of as a process of this machine. */
  readonly containers?: boolean;
  /** The image of Annals for containers. Defaults to `annals:0.2.0`. */
  readonly image?: string;
}

/** A running Annals with its credentials. `user`, `apiKey` and `hmac` have full access to every record. */
export interface StartedAnnals {
  /** Without `/api/v1`. */
  readonly url: string;
  readonly admin: { readonly userName: string; readonly password: string };
  readonly user: { readonly userName: string; readonly password: string };
  readonly apiKey: { readonly userName: string; readonly apiKey: string };
  readonly hmac: {
    readonly userName: string;
    readonly apiKey: string;
    readonly secretKey: string;
  };
  readonly kafka: KafkaAccess;
  /** The prefix of its topics in Kafka. */
  readonly topicPrefix: string;
  readonly postgres: { readonly url: string };
  /** Starts a webhook server to which this Annals may send. It is closed together with the Annals. */
  startReceiver(): Promise<Receiver>;
  /** Returns the URL under which Annals reaches a server of the test on one of the `receiverPorts`. */
  receiverUrl(port: number, path?: string): string;
  readonly clock: {
    /**
     * Moves the clock for webhooks and logins forward. Windows, retries and tokens that would become due within that
     * time do so immediately. Not available with containers.
     */
    advance(ms: number): Promise<void>;
  };
  /** Stops and removes it with its data, even if stopping a part fails; then throws an AggregateError. */
  stop(): Promise<void>;
}
