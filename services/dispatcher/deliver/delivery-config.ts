/** The limits of delivery. Operators set each of them. */
export interface DeliveryConfig {
  /** Attempts per batch in all, the first one included. */
  readonly maxAttempts: number;
  readonly failAttemptPeriodMs: number;
  /** Name look-up, TCP and TLS. */
  readonly connectTimeoutMs: number;
  /** The whole request, from waiting for a connection to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly maxConcurrentRequests: number;
  /** Maximum number of these to one host and port. */
  readonly maxRequestsPerHost: number;
}
