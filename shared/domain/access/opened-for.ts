import type { EntityModel } from '../entity/model/entity-model.ts';
import type { Actor } from './actor.ts';
import { showInForms } from './show-in-forms.ts';

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
