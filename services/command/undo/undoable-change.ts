import { type Actor, requireAdministrator } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { UNDO_DAYS, undoableSince } from '../../../shared/domain/record/undo-days.ts';
import { asListOf, asNumber, asObject, asText, optional } from '../owner/read-body.ts';

/** An event of a record, by its version. */
export interface ChangeEvent {
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
}

/** A change that can be undone: one event, or the events of all steps with one of the command keys, or both (a merge). */
export interface UndoableChange {
  /** The id with which clients request the undo. */
  readonly changeId: string;
  readonly authorId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event?: ChangeEvent | undefined;
  /** Beginnings of command keys, see stepPrefix. */
  readonly steps: readonly string[];
  /** Records, as `type/id`, that are undone before all others, because the others link to them. */
  readonly first: readonly string[];
}

export const readChange = asObject<UndoableChange>({
  changeId: asText,
  authorId: asText,
  at: asNumber,
  event: optional(
    asObject<ChangeEvent>({ entityType: asText, recordId: asText, version: asNumber }),
  ),
  steps: asListOf(asText),
  first: asListOf(asText),
});

/**
 * Rejects users who may not undo a change: authors may do so for some time, administrators at any time. Other users get
 * the same error as for a change that does not exist. Access to each record is checked when the record is undone.
 */
export function requireUndoing(
  actor: Actor,
  { authorId, at, changeId }: UndoableChange,
  now: number,
): void {
  if (actor.type === 'admin') return;
  if (actor.id !== authorId) throw changeNotFound(changeId);
  if (at >= undoableSince(now)) return;
  const message = `This change is older than ${UNDO_DAYS} days. Only an administrator can undo it.`;
  throw new Refusal('forbidden', 'undo.expired', message);
}

export function changeNotFound(changeId: string): Refusal {
  const message = `Change ${printable(changeId)} does not exist.`;
  return new Refusal('not_found', 'undo.not_found', message);
}

export function requireAuthor(actor: Actor, authorId: string): void {
  if (actor.id !== authorId) requireAdministrator(actor);
}

/** Definitions, users, webhooks, posts and files have rules that restoring old values would bypass. */
export function isUndoable({ definition }: EntityModel): boolean {
  return definition.isObject && definition.log === 'records' && definition.isInternal !== true;
}

/**
 * Returns the name of a record in an undo. The name includes the type, because a merge changes records of several
 * types.
 */
export function toRecordName(entityType: string, recordId: string): string {
  return `${entityType}/${recordId}`;
}

export function readRecordName(name: string): {
  readonly entityType: string;
  readonly recordId: string;
} {
  const [entityType = '', recordId = ''] = name.split('/');
  return { entityType, recordId };
}
