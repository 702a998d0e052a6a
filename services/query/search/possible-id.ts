import { Refusal } from '../../../shared/domain/errors.ts';

/** Whatever has another form names nothing, and may not even be text for Postgres. */
const idPattern = /^[A-Za-z0-9_=.-]{1,100}$/;

export function requirePossibleId(id: string): void {
  if (!idPattern.test(id)) throw recordNotFound(id);
}

export function recordNotFound(id: string): Refusal {
  return new Refusal('not_found', 'record.not_found', `Record ${id.slice(0, 100)} does not exist.`);
}
