import type { EntityModel } from '../entity/model/entity-model.ts';
import { showInactiveReason } from './acting-user.ts';
import type { Directory } from './directory.ts';

type Body = Record<string, unknown>;
type Complete = (body: Body, directory: Directory) => void;

/** Functions that fill in attributes from the directory instead of the record's events, by entity type. */
const completions: ReadonlyMap<string, Complete> = new Map<string, Complete>([
  ['User', showLastAccess],
  ['Webhook', showInactiveReason],
]);

/** Completes the bodies of records in place. */
export function completeBodies(
  model: EntityModel,
  bodies: readonly Body[],
  directory: Parameters<Complete>[1],
): void {
  const complete = completions.get(model.name);
  for (const body of bodies) {
    omitNulls(model, body);
    complete?.(body, directory);
  }
}

/** Removes null values, in place, of attributes that the definition omits when null. */
export function omitNulls({ definition }: EntityModel, body: Body): void {
  for (const name of definition.omittedIfNull ?? []) if (body[name] === null) delete body[name];
}

/**
 * Fills in the last access of a user if it is selected. The last access is kept only in memory, not in the record or a
 * table.
 */
function showLastAccess(body: Body, { lastAccessOf }: Directory): void {
  if ('lastAccess' in body) body['lastAccess'] = lastAccessOf(String(body['id']));
}
