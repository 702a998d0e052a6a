import { Refusal } from '../errors.ts';
import { type AccessAction, type AccessLevel, type AccessTable, levelOf } from './access-table.ts';

/** Who makes a request, with what they may do; decided once per request, from memory. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly userName: string;
  readonly type: 'admin' | 'regular' | 'api';
  readonly access: AccessTable;
}

/** Administrators may do everything; for all others the merged roles decide. */
export function accessLevel(actor: Actor, scope: string, action: AccessAction): AccessLevel {
  return actor.type === 'admin' ? 'all' : levelOf(actor.access, scope, action);
}

/** Throws unless the actor may do this with every record of the entity type. */
export function requireAccess(actor: Actor, scope: string, action: AccessAction): void {
  const level = accessLevel(actor, scope, action);
  if (level !== 'all' && level !== 'yes') {
    throw new Refusal('forbidden', 'access.denied', `No ${action} access.`);
  }
}

/** A scope that is granted or not, without levels (`Webhook`). Administrators have every one. */
export function hasScope(actor: Actor, scope: string): boolean {
  return actor.type === 'admin' || actor.access.get(scope) === true;
}
