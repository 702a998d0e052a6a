import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReceivedRequest } from './subscriber.ts';

/** Computes the documented signature over the raw body with the webhook's secretKey. */
export function xSignatureOf({ body }: ReceivedRequest, secretKey: string): string {
  return createHmac('sha256', secretKey).update(body).digest('base64');
}

/** The `Signature` header as published receivers compute it. */
export function signatureOf(
  { body }: ReceivedRequest,
  webhook: { readonly id: string; readonly secretKey: string },
): string {
  const hex = createHmac('sha256', webhook.secretKey).update(body).digest('hex');
  return Buffer.from(`${webhook.id}:${hex}`).toString('base64');
}

/** Verifies the Standard Webhooks 1.0 headers: any of the listed signatures may be the right one. */
export function hasStandardSignature(request: ReceivedRequest, secretKey: string): boolean {
  const { headers, body } = request;
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const expected = createHmac('sha256', secretKey)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest();
  const isFresh = Math.abs(request.at / 1000 - Number(timestamp)) < 300;
  return (
    isFresh && signaturesIn(headers['webhook-signature']).some((given) => isSame(given, expected))
  );
}

function signaturesIn(header: string | string[] | undefined): readonly Buffer[] {
  return String(header)
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice('v1,'.length), 'base64'));
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
