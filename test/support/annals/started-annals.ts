import type { KafkaAccess } from '../../../infra/local/kafka/kafka-access.ts';
import type { Receiver } from './start-receiver.ts';

export interface StartAnnalsOptions {
  /** Any variable of the services. Webhooks are sent at once unless WEBHOOK_QUEUE_INTERVAL says otherwise. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ports of this machine on which webhook receivers of the test listen; in containers, on every address of it. */
  readonly receiverPorts?: readonly number[];
  /** Each part in a container; by default they are processes of this machine. */
  readonly containers?: boolean;
  /** Of Annals, for containers; `annals:0.1.0` unless named. */
  readonly image?: string;
}

/** A running Annals, and how to get into it. `user`, `apiKey` and `hmac` may do everything with every record. */
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
  /** Of its topics in Kafka. */
  readonly topicPrefix: string;
  readonly postgres: { readonly url: string };
  /** A server for webhooks, to which this Annals may send. It is closed with the Annals. */
  startReceiver(): Promise<Receiver>;
  /** The url under which Annals reaches a server of the test at one of the `receiverPorts`. */
  receiverUrl(port: number, path?: string): string;
  readonly clock: {
    /**
     * Moves the time by which webhooks are sent and log-ins are judged. Windows, retries and tokens that fall due on the
     * way do so at once. Not in containers.
     */
    advance(ms: number): Promise<void>;
  };
  /** Ends and removes it, the data included; also what comes after a part that fails: AggregateError. */
  stop(): Promise<void>;
}
