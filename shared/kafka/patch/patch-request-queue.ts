import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const CHECK_AFTER_MS = 10;
const TIMEOUT_CHECK_EVERY_MS = 1_000;

/**
 * After every response, kafkajs 2.2.4 sets a timer with a negative delay, which fires every millisecond on an idle
 * connection (upstream issue 1751, pull request 1768, never merged). With this patch, which sets the timer only while
 * requests are pending, an idle process uses 0.8 % of a core instead of 2.6 %. kafkajs also checks for timed-out
 * requests every 100 ms on each of the ten connections of a process, which is unnecessary with timeouts of seconds.
 */
export function patchRequestQueue(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = scheduleCheckPendingRequests;
  RequestQueue.prototype.scheduleRequestTimeoutCheck = scheduleRequestTimeoutCheck;
}

function scheduleRequestTimeoutCheck(this: RequestQueue): void {
  this.destroy();
  this.requestTimeoutIntervalId = setInterval(() => {
    for (const request of this.inflight.values()) {
      if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
    }
    if (!this.isConnected()) this.destroy();
  }, TIMEOUT_CHECK_EVERY_MS);
}

function scheduleCheckPendingRequests(this: RequestQueue): void {
  if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
  const delayMs = Math.max(this.throttledUntil - Date.now(), CHECK_AFTER_MS);
  this.throttleCheckTimeoutId = setTimeout(() => {
    this.throttleCheckTimeoutId = null;
    this.checkPendingRequests();
  }, delayMs);
}
