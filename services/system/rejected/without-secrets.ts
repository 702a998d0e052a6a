import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';

const hidden = '(not shown)';
const stock = createDirectory(stockDefinitions);

/**
 * Hides the secrets in an event. In a record event, only attributes that are known to be secret are hidden. In a
 * directory event, only attributes that are known not to be secret are shown: sign-ins and second factors have no
 * definition, and a newer version may store secrets in attributes that this version does not have.
 */
export function withoutSecrets(
  event: LoggedEvent,
  { isDirectory }: { readonly isDirectory: boolean },
): LoggedEvent {
  const model = stock.entity(event.entityType);
  const isShown = (attribute: string): boolean =>
    isDirectory ? isOpen(model, attribute) === true : isOpen(model, attribute) !== false;
  const changes = event.changes.map((change) =>
    isShown(change.attribute)
      ? change
      : { ...change, before: hide(change.before), after: hide(change.after) },
  );
  return { ...event, changes };
}

/** Returns true if the attribute is not secret; undefined if it has no definition. */
function isOpen(model: EntityModel | undefined, name: string): boolean | undefined {
  const attribute = model?.attribute.get(name);
  return attribute && !attribute.isSecret;
}

const hide = (value: AttributeValue): AttributeValue => (value === null ? null : hidden);

/** Matches strings that shared/secrets/secret-box.ts sealed, and password hashes. */
const secretForms = /v1[.][A-Za-z0-9_-]{38,}|scrypt\$[\w=,]+\$[A-Za-z0-9_-]+\$[A-Za-z0-9_-]+/g;

/** Replaces secrets with asterisks of the same length. An entry that cannot be decoded may still contain secrets. */
export function maskSecrets(bytes: Buffer): Buffer {
  const masked = bytes
    .toString('latin1')
    .replace(secretForms, (secret) => '*'.repeat(secret.length));
  return Buffer.from(masked, 'latin1');
}
