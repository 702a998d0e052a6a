import { randomUUID } from 'node:crypto';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { inTime } from '../../../shared/runtime/in-time.ts';
import type { CommandContext } from '../context.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { type MassActionStep, massActionModel, type PlannedMassAction } from './mass-action.ts';
import { massActionCommand } from './mass-action-commands.ts';
import { maxRecordsOf, tooManyRecords } from './plan-mass-action.ts';

/**
 * A mass action in the log. `runner` is the id under which this process carries it out, unless another runner already
 * does.
 */
export interface DecidedMassAction extends CommandAnswer {
  readonly runner: string;
}

/** Plans a mass action, and appends the decision as one event. */
export async function startMassAction(
  command: Command,
  plan: () => PlannedMassAction | Promise<PlannedMassAction>,
  context: CommandContext,
): Promise<DecidedMassAction> {
  const runner = randomUUID();
  const { id: _, ...request } = command;
  const decided = await context.sender.sendPlanned(massActionCommand, {
    ...request,
    model: massActionModel(context.directory),
    // An Idempotency-Key determines the partition.
    ...(command.commandId === null ? { id: context.newId() } : {}),
    async plan(): Promise<MassActionStep> {
      const planned = await plan();
      const maxRecords = maxRecordsOf(planned.action, context.config);
      if (planned.ids.length > maxRecords) throw tooManyRecords(maxRecords);
      return { kind: 'decide', runner, planned };
    },
    untilReadable: true,
  });
  return { ...decided, runner };
}

/**
 * Returns the ended mass action, or undefined for a request with `idle`, whose mass action continues in the background.
 */
export async function endUnlessIdle(
  { body, deadline }: Command,
  decided: DecidedMassAction,
  context: CommandContext,
): Promise<RecordState | undefined> {
  if (body['idle'] !== true) return untilMassActionEnded(decided, deadline, context);
  void context.massActionWorker.finish(decided.state, decided.runner);
  return undefined;
}

/** Carries out a mass action, or waits for its runner. Resolves when it has ended. */
export async function untilMassActionEnded(
  { state, runner }: { readonly state: RecordState; readonly runner: string },
  deadline: number,
  { massActionWorker, now }: CommandContext,
): Promise<RecordState> {
  const late = () =>
    new Unavailable('the mass action was decided and continues, but has not ended yet');
  return inTime(massActionWorker.finish(state, runner), deadline - now(), late);
}
