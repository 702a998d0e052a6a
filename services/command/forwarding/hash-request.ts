import { createHash } from 'node:crypto';

/** Not part of a hash that goes into the log, where somebody might guess what it was made of. */
const secretNames: ReadonlySet<string> = new Set([
  'password',
  'passwordConfirm',
  'currentPassword',
]);

/** Of what is asked for under a key: the same key with another hash is another request. */
export function hashRequest(request: {
  /** By its name. */
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
