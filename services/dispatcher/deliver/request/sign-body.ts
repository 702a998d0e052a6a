import { createHmac, type KeyObject } from 'node:crypto';

interface SignedContent {
  readonly body: Buffer;
  readonly webhookId: string;
  readonly batchId: string;
  /** The time of this attempt. */
  readonly timestampSeconds: number;
  /** Missing means `base64`. */
  readonly xSignatureFormat?: 'base64' | 'prefixed';
}

/**
 * Returns the three signatures of a request (docs/reference/webhooks.md#what-you-get), all HMAC-SHA256. `keys` are the
 * UTF-8 bytes of the displayed secret: the current one first, and during a rotation the previous one. The signature of
 * Standard Webhooks lists those of all keys.
 */
export function signBody(content: SignedContent, keys: readonly [KeyObject, ...KeyObject[]]) {
  const { body, webhookId, batchId, timestampSeconds, xSignatureFormat } = content;
  const plain = createHmac('sha256', keys[0]).update(body).digest();
  const prefix = `${batchId}.${timestampSeconds}.`;
  return {
    xSignature:
      xSignatureFormat === 'prefixed'
        ? Buffer.concat([Buffer.from(`${webhookId}:`), plain]).toString('base64')
        : plain.toString('base64'),
    signature: Buffer.from(`${webhookId}:${plain.toString('hex')}`).toString('base64'),
    standard: keys
      .map((key) => `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`)
      .join(' '),
  };
}
