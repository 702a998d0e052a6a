import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import type { Actor } from './actor.ts';

/** The secrets of a record type that this actor may see in clear. All others are never shown. */
export function openedFor(
  { type }: Pick<Actor, 'type'>,
  { definition }: EntityModel,
): readonly string[] {
  const { attributes = [], toAdministratorsOnly = false } = definition.opensSecrets ?? {};
  return toAdministratorsOnly && type !== 'admin' ? [] : attributes;
}

interface Sealed {
  readonly model: EntityModel;
  /** Those of `openedFor` that the request selects. */
  readonly opened: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Decrypts secrets into the answer for a record, in place. Null means that a secret cannot be decrypted any more. */
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
 * Puts decrypted secrets, in place, into the forms that the entity type answers: that of Standard Webhooks beside the
 * secret, an object in place of its JSON.
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
    // JSON.stringify leaves out undefined.
    shown[attribute] = undefined;
  }
}

/** Verifiers of Standard Webhooks take a key in base64. The key is the UTF-8 bytes of the secret as it is shown. */
function toStandardSecret(secretKey: string): string {
  return `whsec_${Buffer.from(secretKey, 'utf8').toString('base64')}`;
}
