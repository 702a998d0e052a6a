import type { EntityModel } from '../entity/model/entity-model.ts';
import { Refusal } from '../errors.ts';
import type { RecordState } from '../record/record-state.ts';
import { type Actor, requireScope } from './actor.ts';
import { hasRecordAccess, requireRecordAccess } from './record-access.ts';

/** Throws unless records of this type have a stream, and the actor may see the stream of some of them. */
export function requireStreamScope(actor: Actor, { name, definition }: EntityModel): void {
  if (definition.hasStream !== true) {
    throw new Refusal('not_found', 'stream.none', `${name} has no stream.`);
  }
  requireScope(actor, name, 'read');
  requireScope(actor, name, 'stream');
}

/** Throws unless the actor may see the stream of this record, which implies reading it. */
export function requireStreamAccess(actor: Actor, model: EntityModel, record: RecordState): void {
  const { id, values } = record;
  requireRecordAccess(actor, 'read', { model, id, values });
  requireRecordAccess(actor, 'stream', { model, id, values });
}

/** Whether the actor sees the stream of this record. */
export function seesStream(actor: Actor, model: EntityModel, record: RecordState): boolean {
  return (['read', 'stream'] as const).every((right) =>
    hasRecordAccess(actor, right, { model, ...record }),
  );
}
