/** What a webhook's owner sees of its secrets: opened, in place, and once more in the form of Standard Webhooks. */
export function showWebhook(
  shown: Record<string, unknown>,
  sealed: { readonly secretKey?: unknown; readonly sealedHeaders?: unknown },
  open: (sealed: string) => string,
): void {
  const { secretKey: sealedKey, sealedHeaders } = sealed;
  if (typeof sealedKey === 'string') {
    const secretKey = open(sealedKey);
    shown['secretKey'] = secretKey;
    shown['standardSecret'] = toStandardSecret(secretKey);
  }
  shown['sealedHeaders'] = undefined;
  if (sealedHeaders === undefined) return;
  shown['headers'] = typeof sealedHeaders === 'string' ? JSON.parse(open(sealedHeaders)) : {};
}

/** Verifiers of Standard Webhooks take a key in base64; ours are the UTF-8 bytes of the secret as it is shown. */
function toStandardSecret(secretKey: string): string {
  return `whsec_${Buffer.from(secretKey, 'utf8').toString('base64')}`;
}
