import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inTime } from '../../../shared/db/until-projected.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { massActionType, resultOf } from '../actions/mass-action.ts';
import type { MassActions } from '../actions/mass-actions.ts';
import { type PlanDeps, planMassAction, tooManyRecords } from '../actions/plan-mass-action.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

export interface MassActionRouteDeps extends PlanDeps {
  readonly massActions: MassActions;
  readonly newId: () => string;
  readonly readMassAction: (id: string) => Promise<RecordState | undefined>;
}

const path = `/api/v1/${massActionType}`;
type Params = { readonly id: string };

/** Actions over many records (api-facts 6.2), described in docs/reference/actions.md. */
export function registerMassActionRoutes(
  server: FastifyInstance,
  deps: CommandRouteDeps & MassActionRouteDeps,
): void {
  server.post(path, async (request, reply) => {
    const model = deps.directory.entity(massActionType);
    if (model === undefined) throw new Error('there are no mass actions');
    const asked = { action: 'mass-action', body: request.body, model } as const;
    const command = await readCommand(deps, request, asked);
    const runner = randomUUID();
    const decided = await decide(command, runner, deps);
    if (decided.isReplay) void reply.header('Idempotency-Replayed', 'true');
    return sendJson(reply, await carryOut(command, { ...decided, runner }, deps));
  });

  server.get<{ Params: Params }>(`${path}/:id/status`, async (request, reply) => {
    const { status, processedCount } = (await readOwn(deps, request)).values;
    return sendJson(reply, { status, processedCount });
  });

  // Whoever wants to know how it ended asks for its status: there is nobody to be told.
  server.post<{ Params: Params }>(`${path}/:id/subscribe`, async (request, reply) => {
    await readOwn(deps, request);
    return sendJson(reply, true);
  });
}

async function decide(
  command: RoutedCommand,
  runner: string,
  deps: CommandRouteDeps & MassActionRouteDeps,
): Promise<RoutedAnswer> {
  const planned = await planMassAction(command, deps);
  const { kind, code, message, detail } = tooManyRecords(deps);
  const step =
    planned.ids.length > deps.maxRecords
      ? { kind: 'refuse', refusal: { kind, code, message, detail } }
      : { kind: 'decide', runner, planned };
  return deps.route({
    ...command,
    // A key leads to where it was used before.
    ...(command.commandId === null ? { id: deps.newId() } : {}),
    body: step,
    untilReadable: true,
  });
}

async function carryOut(
  { body, deadline }: RoutedCommand,
  { state, runner }: RoutedAnswer & { readonly runner: string },
  { massActions, now }: CommandRouteDeps & MassActionRouteDeps,
): Promise<unknown> {
  if (body['idle'] === true) {
    massActions.finishLater(state, runner);
    return { id: state.id };
  }
  const late = 'the mass action was decided and goes on, but has not ended yet';
  return resultOf(await inTime(massActions.finish(state, runner), deadline - now(), late));
}

async function readOwn(
  deps: CommandRouteDeps & MassActionRouteDeps,
  request: FastifyRequest<{ Params: Params }>,
): Promise<RecordState> {
  const actor = await deps.authenticate(request);
  const state = await deps.readMassAction(request.params.id);
  if (state === undefined) {
    throw new Refusal('not_found', 'record.not_found', 'There is no such mass action.');
  }
  if (state.values['createdById'] === actor.id) return state;
  throw new Refusal('forbidden', 'access.denied', 'Only who started a mass action may ask for it.');
}
