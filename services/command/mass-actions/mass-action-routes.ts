import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ownWork, selecting, written } from '../../../shared/http/describe/error-lists.ts';
import type { Part } from '../../../shared/http/describe/part.ts';
import {
  anything,
  count,
  id,
  ids,
  objectOf,
  searchInBody,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { setIgnoredHeader } from '../../../shared/http/set-ignored-header.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { massActionModel, massActionType, resultOf, statusOf } from './mass-action.ts';
import { massActionCommand } from './mass-action-commands.ts';
import { massActionNames } from './mass-action-kinds.ts';
import { planMassAction, unknownInSearch } from './plan-mass-action.ts';
import { takeStep } from './run-mass-action.ts';
import { endUnlessIdle, startMassAction, untilMassActionEnded } from './start-mass-action.ts';

const path = `/api/v1/${massActionType}`;
type Params = { readonly id: string };

/** Registers the routes for mass actions (docs/reference/actions.md#mass-actions). */
export function registerMassActionRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post(path, start, async (request, reply) => {
    const model = massActionModel(context.directory);
    const input = { command: massActionCommand, body: request.body, model };
    const command = await readCommand(context, request, input);
    const plan = async () => planMassAction(command, context);
    const decided = await startMassAction(command, plan, context);
    setIgnoredHeader(reply, unknownInSearch(context.directory.entity, command.body));
    const ended = await endUnlessIdle(command, decided, context);
    const result = ended === undefined ? { id: decided.state.id } : resultOf(ended);
    return sendJson(setWriteHeaders(reply, [decided]), result);
  });

  server.get<{ Params: Params }>(`${path}/:id/status`, readStatus, async (request, reply) => {
    const { state } = await readOwn(context, request);
    return sendJson(reply, statusOf(state));
  });

  // Responds once the mass action has stopped. Records that are already being changed are completed and counted.
  server.post<{ Params: Params }>(`${path}/:id/cancel`, cancel, async (request, reply) => {
    const { actor, state } = await readOwn(context, request);
    const deadline = context.now() + context.timeoutMs;
    const step = { kind: 'cancel', cancelledById: actor.id } as const;
    const cancelled = await takeStep(context, state.id, step);
    const ended = statusOf(
      await untilMassActionEnded({ state: cancelled, runner: '' }, deadline, context),
    );
    if (ended.status === 'Cancelled') return sendJson(reply, ended);
    const message = `The mass action has already ended with status ${ended.status}.`;
    throw new Refusal('conflict', 'mass_action.ended', message);
  });

  // Annals sends no notification at the end. Clients query the status instead.
  server.post<{ Params: Params }>(`${path}/:id/subscribe`, subscribe, async (request, reply) => {
    await readOwn(context, request);
    return sendJson(reply, true);
  });
}

async function readOwn(
  context: CommandContext,
  request: FastifyRequest<{ Params: Params }>,
): Promise<{ readonly actor: Actor; readonly state: RecordState }> {
  const actor = await readActor(context, request);
  const state = await context.readMassAction(request.params.id);
  if (state === undefined) {
    throw new Refusal('not_found', 'record.not_found', 'This mass action does not exist.');
  }
  if (state.values['createdById'] === actor.id || actor.type === 'admin') return { actor, state };
  throw new Refusal(
    'forbidden',
    'access.denied',
    'Only its creator and administrators can see a mass action.',
  );
}

const tag = 'Several records';
export const reason: Part = {
  ...text,
  description: 'Why it failed or was stopped: the error code that its user would get now.',
  examples: ['user.inactive'],
};

export const skipped: Part = {
  type: 'array',
  description:
    'The records that were not changed, by reason, the most frequent first. Present once the action has ended.',
  items: objectOf({ reason: { ...text, description: 'An error code.' }, count, ids }),
};

const start = describeRoute({
  id: 'MassAction_start',
  tag,
  summary: 'Change, delete or follow many records',
  description: 'Records that the user may not change, or that would become invalid, are skipped.',
  parameters: ['Idempotency-Key'],
  body: objectOf(
    {
      entityType: id,
      action: { enum: massActionNames },
      params: {
        type: 'object',
        description: 'Either ids or a search.',
        properties: { ids, ...searchInBody },
      },
      data: anything,
      idle: {
        type: 'boolean',
        description: 'True: respond immediately with the id of the action.',
      },
    },
    ['entityType', 'action', 'params'],
  ),
  answer: {
    type: 'object',
    properties: {
      count,
      ids,
      id,
      status: {
        enum: ['Failed', 'Stopped', 'Cancelled'],
        description:
          'Present if not all records were tried. `count` is the number of changed records.',
      },
      reason,
    },
  },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token', 'X-Ignored-Attributes'],
  errors: [
    ...written,
    ...selecting,
    'access.admin_only',
    'action.unknown',
    'mass_action.data',
    'mass_action.denied',
    'mass_action.not_allowed',
    'record.invalid',
    'stream.none',
    'webhook.forbidden',
  ],
});

const readStatus = describeRoute({
  id: 'MassAction_status',
  tag,
  summary: 'Read the progress of a mass action',
  parameters: ['id', 'X-Consistency-Token'],
  answer: statusAs(['Running', 'Success', 'Failed', 'Stopped', 'Cancelled']),
  errors: ownWork,
});

const cancel = describeRoute({
  id: 'MassAction_cancel',
  tag,
  summary: 'Cancel a mass action',
  description:
    'For its creator and administrators. Responds once the action has ended. The `processedCount` records changed so far stay changed.',
  parameters: ['id', 'X-Consistency-Token'],
  answer: statusAs(['Cancelled']),
  errors: [...ownWork, 'mass_action.ended'],
});

const subscribe = describeRoute({
  id: 'MassAction_subscribe',
  tag,
  summary: 'Do nothing',
  description: 'Annals sends no notifications. Poll the status instead.',
  parameters: ['id', 'X-Consistency-Token'],
  answer: { const: true },
  errors: ownWork,
});

function statusAs(statuses: readonly string[]): Part {
  const recordCount = { ...count, description: 'All records of the action, changed or not.' };
  const parts = { status: { enum: statuses }, processedCount: count, recordCount, reason, skipped };
  return objectOf(parts, ['status', 'processedCount', 'recordCount']);
}
