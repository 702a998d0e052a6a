import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { type CommandRouteDeps, readCommand } from '../http/read-command.ts';
import { tellWritten } from '../http/send-written.ts';
import { type CarryOutDeps, decidePlanned, untilEnded } from './carry-out-mass-action.ts';
import { massActionType, resultOf, statusOf } from './mass-action.ts';
import { massAction } from './mass-action-actions.ts';
import { type PlanDeps, planMassAction } from './plan-mass-action.ts';
import { takeStep } from './run-mass-action.ts';

export interface MassActionRouteDeps extends PlanDeps, CarryOutDeps {
  readonly readMassAction: (id: string) => Promise<RecordState | undefined>;
}

const path = `/api/v1/${massActionType}`;
type Params = { readonly id: string };

/** Actions over many records (docs/reference/actions.md#mass-actions). */
export function registerMassActionRoutes(
  server: FastifyInstance,
  deps: CommandRouteDeps & MassActionRouteDeps,
): void {
  server.post(path, async (request, reply) => {
    const model = deps.directory.entity(massActionType);
    if (model === undefined) throw new Error('there are no mass actions');
    const asked = { action: massAction, body: request.body, model };
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
    const { state } = await readOwn(deps, request);
    return sendJson(reply, statusOf(state));
  });

  // Answers when nothing more of it is done: what was begun by then is finished, and counted.
  server.post<{ Params: Params }>(`${path}/:id/cancel`, async (request, reply) => {
    const { actor, state } = await readOwn(deps, request);
    const command = { deadline: deps.now() + deps.timeoutMs };
    const step = { kind: 'cancel', cancelledById: actor.id } as const;
    const cancelled = await takeStep(deps, state.id, step);
    const ended = statusOf(await untilEnded({ state: cancelled, runner: '' }, command, deps));
    if (ended.status === 'Cancelled') return sendJson(reply, ended);
    const message = `The mass action has ended before: ${ended.status}.`;
    throw new Refusal('conflict', 'mass_action.ended', message);
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
): Promise<{ readonly actor: Actor; readonly state: RecordState }> {
  const actor = await readActor(deps, request);
  const state = await deps.readMassAction(request.params.id);
  if (state === undefined) {
    throw new Refusal('not_found', 'record.not_found', 'There is no such mass action.');
  }
  if (state.values['createdById'] === actor.id || actor.type === 'admin') return { actor, state };
  throw new Refusal(
    'forbidden',
    'access.denied',
    'A mass action is the business of who started it, and of administrators.',
  );
}
