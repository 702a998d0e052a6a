/**
 * Puts the opened secrets of a webhook, in place, into the forms in which its owner knows them: the headers as an
 * object, the secret once more as Standard Webhooks spells it.
 */
export function showWebhook(shown: Record<string, unknown>): void {
  const { secretKey, sealedHeaders } = shown;
  if (typeof secretKey === 'string') shown['standardSecret'] = toStandardSecret(secretKey);
  if (sealedHeaders === undefined) return;
  shown['headers'] = typeof sealedHeaders === 'string' ? JSON.parse(sealedHeaders) : {};
  // A key without value is not written as JSON.
  shown['sealedHeaders'] = undefined;
}

/** Verifiers of Standard Webhooks take a key in base64; ours are the UTF-8 bytes of the secret as it is shown. */
function toStandardSecret(secretKey: string): string {
  return `whsec_${Buffer.from(secretKey, 'utf8').toString('base64')}`;
}
