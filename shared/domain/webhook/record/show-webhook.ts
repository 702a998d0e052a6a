/**
 * Puts the decrypted secrets of a webhook, in place, into the form of answers: the headers as an object, the secret
 * also in the form of Standard Webhooks.
 */
export function showWebhook(shown: Record<string, unknown>): void {
  const { secretKey, sealedHeaders } = shown;
  if (typeof secretKey === 'string') shown['standardSecret'] = toStandardSecret(secretKey);
  if (sealedHeaders === undefined) return;
  shown['headers'] = typeof sealedHeaders === 'string' ? JSON.parse(sealedHeaders) : {};
  // JSON.stringify leaves out undefined.
  shown['sealedHeaders'] = undefined;
}

/** Verifiers of Standard Webhooks take a key in base64. The key is the UTF-8 bytes of the secret as it is shown. */
function toStandardSecret(secretKey: string): string {
  return `whsec_${Buffer.from(secretKey, 'utf8').toString('base64')}`;
}
