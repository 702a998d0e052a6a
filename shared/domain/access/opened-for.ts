import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import type { Actor } from './actor.ts';

/** Returns the secret attributes of a record type that this actor may see in clear text. All others are never shown. */
export function openedFor(
  { type }: { readonly type: Actor['type'] },
  { definition }: EntityModel,
): readonly string[] {
  const { attributes = [], toAdministratorsOnly = false } = definition.opensSecrets ?? {};
  return toAdministratorsOnly && type !== 'admin' ? [] : attributes;
}

interface Sealed {
  readonly model: EntityModel;
  /** The attributes from `openedFor` that the request selects. */
  readonly opened: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Decrypts secrets into the response for a record, in place. Null means that a secret can no longer be decrypted. */
export function showSecrets(
  shown: Record<string, unknown>,
  { model, opened, values }: Sealed,
  open: (sealed: string) => string | null,
): void {
  for (const name of opened) {
    const sealed = values[name];
    shown[name] = typeof sealed === 'string' ? open(sealed) : null;
  }
  showInForms(shown, model.definition.opensSecrets);
}

/**
 * Adds, in place, the forms in which the entity type returns its secrets: the Standard Webhooks form in addition to the
 * plain secret, or an object instead of its JSON text.
 */
function showInForms(
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
    // JSON.stringify omits undefined.
    shown[attribute] = undefined;
  }
}

/** Standard Webhooks verifiers expect a base64 key. The key is the UTF-8 bytes of the secret as shown. */
function toStandardSecret(secretKey: string): string {
  return `whsec_${Buffer.from(secretKey, 'utf8').toString('base64')}`;
}
