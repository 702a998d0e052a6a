import type { EntityModel } from '../entity/model/entity-model.ts';
import type { Directory } from './directory.ts';
import { showInactiveReason } from './show-inactive-reason.ts';

type Body = Record<string, unknown>;
type Complete = (
  body: Body,
  directory: Pick<Directory, 'record' | 'actor' | 'lastAccessOf'>,
) => void;

/** By entity type: what the directory knows of a record and no event of it tells. */
const completions: ReadonlyMap<string, Complete> = new Map<string, Complete>([
  ['User', showLastAccess],
  ['Webhook', showInactiveReason],
]);

/** Completes bodies of records, in place. */
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

/** Leaves out, in place, attributes that have no value and are there only with one. */
export function omitNulls({ definition }: EntityModel, body: Body): void {
  for (const name of definition.omittedIfNull ?? []) if (body[name] === null) delete body[name];
}

/** Fills in the last access of a user if it is asked for: no record and no table has it. */
function showLastAccess(body: Body, { lastAccessOf }: Pick<Directory, 'lastAccessOf'>): void {
  if ('lastAccess' in body) body['lastAccess'] = lastAccessOf(String(body['id']));
}
