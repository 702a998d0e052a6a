/** An event to be delivered. `data` and `previous` are JSON texts. */
export interface PayloadEvent {
  readonly eventId: string;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
  readonly actorId: string;
  /** 1, 2, 3 … per webhook, if its format has an envelope; absent in replays. */
  readonly sequence?: number;
  /** A JSON object with the attributes of the payload. */
  readonly data: string;
  /** A JSON object with the previous values of the changed attributes; empty if the format has no envelope. */
  readonly previous: string;
}

/** How a webhook's events are serialized. Each batch names its format, so that retries always send the same bytes. */
export interface PayloadFormat<Name extends string = string> {
  readonly name: Name;
  /**
   * Events have a sequence number and previous values in addition to the data. Previous values make up a quarter of a
   * payload, so formats without an envelope omit them.
   */
  readonly hasEnvelope: boolean;
  /** Returns the JSON text of an event, one element of the body's array. `name` is the event name as subscribed. */
  readonly write: (name: string, event: PayloadEvent) => string;
  /**
   * JSON schema for an element; absent if an element is only the data, which the schema of the entity type describes.
   */
  readonly itemSchema?: Readonly<Record<string, unknown>>;
}
