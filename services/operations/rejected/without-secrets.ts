import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';

const hidden = '(not shown)';
const stock = createDirectory(stockDefinitions);

/**
 * Of a record, without what is known to be secret. Of the directory only what is known to be none: log-ins and second
 * factors have no definition, and a newer version may keep secrets that this one has never heard of.
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

/** Undefined for what no definition knows. */
function isOpen(model: EntityModel | undefined, name: string): boolean | undefined {
  const attribute = model?.attribute.get(name);
  return attribute && !attribute.isSecret;
}

const hide = (value: AttributeValue): AttributeValue => (value === null ? null : hidden);

/** Texts sealed by shared/secrets/secret-box.ts, and hashes of passwords. */
const secretForms = /v1[.][A-Za-z0-9_-]{38,}|scrypt\$[\w=,]+\$[A-Za-z0-9_-]+\$[A-Za-z0-9_-]+/g;

/** Bytes that nobody can decode may still be an entry with secrets in it: each becomes as many asterisks. */
export function maskSecrets(bytes: Buffer): Buffer {
  const masked = bytes
    .toString('latin1')
    .replace(secretForms, (secret) => '*'.repeat(secret.length));
  return Buffer.from(masked, 'latin1');
}
