import { createHash } from 'node:crypto';

/** Excluded from the hash, because readers of the log could guess these values from the hash. */
const secretNames: ReadonlySet<string> = new Set([
  'password',
  'passwordConfirm',
  'currentPassword',
]);

/**
 * Returns the hash of a request with an Idempotency-Key. A request with the same key and a different hash is rejected.
 */
export function hashRequest(request: {
  /** The name of the command. */
  readonly command: string;
  readonly entityType: string;
  readonly id: string | undefined;
  readonly body: unknown;
}): string {
  const { command, entityType, id = '', body } = request;
  return createHash('sha256')
    .update(JSON.stringify([command, entityType, id, body], withoutSecrets))
    .digest('hex')
    .slice(0, 32);
}

function withoutSecrets(name: string, value: unknown): unknown {
  return secretNames.has(name) ? undefined : value;
}

/** Returns the Idempotency-Key for one step of a request, because each step needs its own key to detect repeats. */
export function keyOfStep(commandId: string | null, step: string): string | null {
  return commandId === null ? null : `${commandId.slice(0, 200)}/${step}`;
}
