import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import type { RecordEvent } from './record-event.ts';

/**
 * Changes that consist of one event per record. The command ids of these events begin with the kind and the change's
 * id, so that an undo finds all of them.
 */
export type StepKind = 'mass' | 'merge' | 'import';

/** Returns the beginning of the command ids of all steps of a change. */
export function stepPrefix(kind: StepKind, changeId: string): string {
  return `${kind}-${changeId}-`;
}

const stepPattern = /^(?:mass|merge|import)-[0-9a-f]{17}-/;
const mergeStepPattern = /^merge-[0-9a-f]{17}-([^/]+)\//;

/** True for a command id that is reserved for steps of a change. */
export function isStepKey(commandId: string): boolean {
  return stepPattern.test(commandId);
}

/**
 * Returns the command id for a step of a merge. The id contains the target's id, so that reads of a source can name the
 * target.
 */
export function mergeStepKey(mergeId: string, targetId: string, step: string): string {
  return `${stepPrefix('merge', mergeId)}${targetId}/${step}`;
}

/** Returns the id of a merge's target from the command id of a step; undefined for other commands. */
export function mergeTargetIn(commandId: string): string | undefined {
  return mergeStepPattern.exec(commandId)?.[1];
}

/** Returns the user of an event that the user's list of changes shows as one change; null for all other events. */
export function singleChangeActor(
  { actorId, commandId }: Pick<RecordEvent, 'actorId' | 'commandId'>,
  definition: EntityDefinition | undefined,
): string | null {
  if (definition?.isObject !== true || definition.log !== 'records') return null;
  return commandId !== null && isStepKey(commandId) ? null : actorId;
}
