/** An event on its way to a receiver. `data` and `previous` are outputs of JSON.stringify. */
export interface PayloadEvent {
  readonly eventId: string;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
  readonly actorId: string;
  /** 1, 2, 3 … per webhook whose format has an envelope; missing in replays. */
  readonly sequence?: number;
  /** An object with the attributes of the payload. */
  readonly data: string;
  /** An object with the old values of the changed attributes; empty where the format has no envelope. */
  readonly previous: string;
}

/** How a webhook's events are written. A batch names its format, so that a retry has the same bytes for ever. */
export interface PayloadFormat<Name extends string = string> {
  readonly name: Name;
  /** Events tell their number and the old values beside the data. Old values are a quarter of a payload, so others lack them. */
  readonly hasEnvelope: boolean;
  /** The element of the body's array for an event, as JSON text. `name` is the event as subscribed. */
  readonly write: (name: string, event: PayloadEvent) => string;
  /** JSON schema of an element. Missing: the data alone, which the schema of the entity type describes. */
  readonly itemSchema?: Readonly<Record<string, unknown>>;
}
