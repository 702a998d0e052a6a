import { randomUUID } from 'node:crypto';
import { inTime } from '../../../shared/db/until-projected.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { RouteCommand, RoutedAnswer, RoutedCommand } from '../routing/route-commands.ts';
import { serializeRefusal } from '../routing/serialized-refusal.ts';
import { type MassActionStep, massActionType, type PlannedMassAction } from './mass-action.ts';
import { massAction } from './mass-action-actions.ts';
import type { MassActions } from './mass-actions.ts';
import { tooManyRecords } from './plan-mass-action.ts';

export interface CarryOutDeps {
  readonly directory: Directory;
  readonly route: RouteCommand;
  readonly now: () => number;
  readonly massActions: MassActions;
  readonly newId: () => string;
  /** Records of one mass action. */
  readonly maxRecords: number;
}

/** A mass action that stands in the log, and who is to carry it out unless somebody does already. */
export interface DecidedMassAction extends RoutedAnswer {
  readonly runner: string;
}

/** Writes the one event that a mass action is; refuses too many records only here, as a repeat may find others. */
export async function decidePlanned(
  command: RoutedCommand,
  planned: PlannedMassAction,
  deps: CarryOutDeps,
): Promise<DecidedMassAction> {
  const model = deps.directory.entity(massActionType);
  if (model === undefined) throw new Error('there are no mass actions');
  const runner = randomUUID();
  const step: MassActionStep =
    planned.ids.length > deps.maxRecords
      ? { kind: 'refuse', refusal: serializeRefusal(tooManyRecords(deps.maxRecords)) }
      : { kind: 'decide', runner, planned };
  const { id: _, ...asked } = command;
  const decided = await deps.route(massAction, {
    ...asked,
    model,
    // A key leads to where it was used before.
    ...(command.commandId === null ? { id: deps.newId() } : {}),
    body: step,
    untilReadable: true,
  });
  return { ...decided, runner };
}

/** Carries it out, or waits for who does; answers it ended. */
export async function untilEnded(
  { state, runner }: Pick<DecidedMassAction, 'state' | 'runner'>,
  { deadline }: Pick<RoutedCommand, 'deadline'>,
  { massActions, now }: CarryOutDeps,
): Promise<RecordState> {
  const late = 'the mass action was decided and goes on, but has not ended yet';
  return inTime(massActions.finish(state, runner), deadline - now(), late);
}
