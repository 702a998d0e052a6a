import type { FastifyInstance } from 'fastify';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { count, id, objectOf } from '../../../shared/http/describe/schemas.ts';
import { requireText } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { massActionModel, resultOf, statusOf } from './mass-action.ts';
import { massActionCommand } from './mass-action-commands.ts';
import { reason, skipped } from './mass-action-routes.ts';
import { planUndo } from './plan-undo.ts';
import { endUnlessIdle, startMassAction } from './start-mass-action.ts';

/** Registers the route that undoes a change (docs/reference/undo.md). The undo is a mass action. */
export function registerUndoRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post('/api/v1/Undo', undo, async (request, reply) => {
    const model = massActionModel(context.directory);
    const input = { command: massActionCommand, body: request.body, model };
    const command = await readCommand(context, request, input);
    const changeId = requireText(command.body, 'changeId');
    const plan = async () => planUndo({ ...command, changeId }, context);
    const decided = await startMassAction(command, plan, context);
    const ended = await endUnlessIdle(command, decided, context);
    const undone = ended === undefined ? {} : undoneBy(ended);
    const result = { id: decided.state.id, ...undone };
    return sendJson(setWriteHeaders(reply, [decided]), result);
  });
}

function undoneBy(ended: RecordState) {
  const { skipped: kept = [] } = statusOf(ended);
  return { ...resultOf(ended), skipped: kept };
}

const undo = describeRoute({
  id: 'Undo_start',
  tag: 'Several records',
  summary: 'Undo a change',
  description:
    'Restores the values before the change, deletes records that it created and restores records that it deleted. Values that have changed since are kept. The undo is a mass action with new changes.',
  parameters: ['Idempotency-Key'],
  body: objectOf(
    {
      changeId: {
        ...id,
        description:
          '`{entityType}/{id}/{version}` for the change that led to this version of a record, `MassAction/{id}` for all changes of a mass action.',
        examples: ['Contact/6920300f5a1b2c3d4/3'],
      },
      idle: {
        type: 'boolean',
        description: 'True: respond immediately with the id of the mass action.',
      },
    },
    ['changeId'],
  ),
  answer: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { ...id, description: 'The mass action that undoes the change.' },
      count,
      skipped,
      status: { enum: ['Failed', 'Stopped', 'Cancelled'] },
      reason,
    },
  },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [
    ...written,
    'access.admin_only',
    'body.value_missing',
    'mass_action.too_many',
    'merge.under_way',
    'record.not_found',
    'undo.changed_since',
    'undo.done',
    'undo.expired',
    'undo.not_allowed',
    'undo.not_found',
    'undo.nothing',
    'undo.partly',
    'undo.running',
  ],
});
