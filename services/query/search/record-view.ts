import { type Actor, hasScope, requireAccess } from '../../../shared/domain/access/actor.ts';
import type { Attribute } from '../../../shared/domain/entity/attributes.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isSecret } from '../../../shared/domain/record/to-record-body.ts';

/** What one kind of actor gets to see of an entity type. Actors with the same `key` see the same columns. */
export interface RecordView {
  readonly key: 'all' | 'own';
  readonly isVisible: (attribute: Attribute) => boolean;
  /** Only records whose value of this attribute is the actor's id. */
  readonly ownerAttribute?: string;
  /** Secrets that are opened for the actor; all others are never shown. */
  readonly opened: readonly string[];
  /** Administrators read deleted records by their id. */
  readonly withDeleted: boolean;
}

/** Throws unless the actor may read records of this type at all. */
export function viewFor(actor: Actor, model: EntityModel): RecordView {
  if (model.name === 'Webhook') return webhookView(actor, model);
  if (model.definition.log === 'directory' && actor.type !== 'admin') {
    throw new Refusal('forbidden', 'access.denied', 'No read access.');
  }
  requireAccess(actor, model.name, 'read');
  return {
    key: 'all',
    isVisible: (attribute) => !isSecret(model, attribute),
    opened: [],
    withDeleted: actor.type === 'admin',
  };
}

/** An API user works on its own webhooks, and does not see that field of theirs. */
function webhookView(actor: Actor, model: EntityModel): RecordView {
  const opened = ['secretKey', 'sealedHeaders'];
  const isOpened = (attribute: Attribute) =>
    opened.includes(attribute.name) || !isSecret(model, attribute);
  if (actor.type === 'admin') {
    return { key: 'all', isVisible: isOpened, opened, withDeleted: true };
  }
  if (actor.type !== 'api' || !hasScope(actor, 'Webhook')) {
    throw new Refusal('forbidden', 'webhook.forbidden', "No access to 'Webhook'.");
  }
  return {
    key: 'own',
    isVisible: (attribute) => attribute.field !== 'user' && isOpened(attribute),
    ownerAttribute: 'userId',
    opened,
    withDeleted: false,
  };
}
