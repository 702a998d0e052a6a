/** The limits of delivery, which operators set. */
export interface DeliveryConfig {
  /** All attempts per batch, including the first one. */
  readonly maxAttempts: number;
  readonly failAttemptPeriodMs: number;
  /** Name look-up, TCP and TLS. */
  readonly connectTimeoutMs: number;
  /** The whole request, from waiting for a connection to the last byte of the response. */
  readonly timeoutMs: number;
  readonly maxConcurrentRequests: number;
  /** Maximum number of these to one host and port. */
  readonly maxRequestsPerHost: number;
}
