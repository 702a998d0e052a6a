import { randomUUID } from 'node:crypto';
import { inTime } from '../../../shared/db/until-projected.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { massActionType, type PlannedMassAction } from '../actions/mass-action.ts';
import type { MassActions } from '../actions/mass-actions.ts';
import { tooManyRecords } from '../actions/plan-mass-action.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import type { CommandRouteDeps } from './read-command.ts';

export interface CarryOutDeps {
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
  deps: CommandRouteDeps & CarryOutDeps,
): Promise<DecidedMassAction> {
  const model = deps.directory.entity(massActionType);
  if (model === undefined) throw new Error('there are no mass actions');
  const runner = randomUUID();
  const { kind, code, message, detail } = tooManyRecords(deps.maxRecords);
  const step =
    planned.ids.length > deps.maxRecords
      ? { kind: 'refuse', refusal: { kind, code, message, detail } }
      : { kind: 'decide', runner, planned };
  const { id: _, ...asked } = command;
  const decided = await deps.route({
    ...asked,
    action: 'mass-action',
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
  { state, runner }: DecidedMassAction,
  { deadline }: Pick<RoutedCommand, 'deadline'>,
  { massActions, now }: CommandRouteDeps & CarryOutDeps,
): Promise<RecordState> {
  const late = 'the mass action was decided and goes on, but has not ended yet';
  return inTime(massActions.finish(state, runner), deadline - now(), late);
}
