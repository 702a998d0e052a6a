import type { EntityDefinition } from '../entity/definition/entity-definition.ts';

/**
 * Puts decrypted secrets, in place, into the forms that the entity type answers: that of Standard Webhooks beside the
 * secret, an object in place of its JSON.
 */
export function showInForms(
  shown: Record<string, unknown>,
  { standardForms = {}, objects = {} }: Partial<NonNullable<EntityDefinition['opensSecrets']>> = {},
): void {
  for (const [attribute, property] of Object.entries(standardForms)) {
    const secret = shown[attribute];
    if (typeof secret === 'string') shown[property] = toStandardSecret(secret);
  }
  for (const [attribute, property] of Object.entries(objects)) {
    const json = shown[attribute];
    if (json === undefined) continue;
    shown[property] = typeof json === 'string' ? JSON.parse(json) : {};
    // JSON.stringify leaves out undefined.
    shown[attribute] = undefined;
  }
}

/** Verifiers of Standard Webhooks take a key in base64. The key is the UTF-8 bytes of the secret as it is shown. */
function toStandardSecret(secretKey: string): string {
  return `whsec_${Buffer.from(secretKey, 'utf8').toString('base64')}`;
}
