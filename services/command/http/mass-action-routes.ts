import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { massActionType, resultOf } from '../actions/mass-action.ts';
import { type PlanDeps, planMassAction } from '../actions/plan-mass-action.ts';
import { type CarryOutDeps, decidePlanned, untilEnded } from './carry-out-mass-action.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';
import { tellWritten } from './send-written.ts';

export interface MassActionRouteDeps extends PlanDeps, CarryOutDeps {
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
    const decided = await decidePlanned(command, await planMassAction(command, deps), deps);
    if (command.body['idle'] !== true) {
      const result = resultOf(await untilEnded(decided, command, deps));
      return sendJson(tellWritten(reply, [decided]), result);
    }
    deps.massActions.finishLater(decided.state, decided.runner);
    return sendJson(tellWritten(reply, [decided]), { id: decided.state.id });
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

async function readOwn(
  deps: CommandRouteDeps & MassActionRouteDeps,
  request: FastifyRequest<{ Params: Params }>,
): Promise<RecordState> {
  const actor = await readActor(deps, request);
  const state = await deps.readMassAction(request.params.id);
  if (state === undefined) {
    throw new Refusal('not_found', 'record.not_found', 'There is no such mass action.');
  }
  if (state.values['createdById'] === actor.id) return state;
  throw new Refusal('forbidden', 'access.denied', 'Only who started a mass action may ask for it.');
}
