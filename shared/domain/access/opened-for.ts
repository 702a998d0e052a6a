import type { EntityModel } from '../entity/entity-model.ts';
import { showWebhook } from '../webhook/show-webhook.ts';
import type { Actor } from './actor.ts';

/** The secrets of records of a type that are shown to this actor, opened; all others are never shown. */
export function openedFor({ type }: Pick<Actor, 'type'>, { name }: EntityModel): readonly string[] {
  if (name === 'Webhook') return ['secretKey', 'sealedHeaders'];
  return name === 'User' && type === 'admin' ? ['apiKey', 'secretKey'] : [];
}

interface Sealed {
  readonly model: EntityModel;
  /** Of `openedFor`, those that were asked for. */
  readonly opened: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Opens secrets into what is shown of a record, in place. Null stands for what cannot be opened any more. */
export function showSecrets(
  shown: Record<string, unknown>,
  { model, opened, values }: Sealed,
  open: (sealed: string) => string | null,
): void {
  for (const name of opened) {
    const sealed = values[name];
    shown[name] = typeof sealed === 'string' ? open(sealed) : null;
  }
  if (model.name === 'Webhook') showWebhook(shown);
}
