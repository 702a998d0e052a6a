import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireBoard, requireGroup } from '../../../shared/domain/board/board.ts';
import {
  boardOrderType,
  orderAttribute,
  placedIds,
  placeFirst,
} from '../../../shared/domain/board/board-order.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideWrite } from '../../../shared/domain/record/decide.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { id, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { requireText, toIds } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { resolveEntity } from '../../../shared/http/server/entity-segment.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { defineChange } from '../owner/define-command.ts';
import { asValues } from '../owner/read-body.ts';

/** Moves cards to the top of groups on the user's boards. The body contains a list of ids per `orderAttribute`. */
export const placeCardsCommand = defineChange({
  name: 'place-cards',
  readBody: asValues,
  entityType: boardOrderType,
  decide(state, { body }) {
    const placed = Object.entries(body).map(([attribute, ids]) => {
      const known = placedIds(state, attribute);
      return [attribute, placeFirst(toIds(ids) ?? [], known)] as const;
    });
    return decideWrite(state, Object.fromEntries(placed));
  },
});

/** Registers `PUT Kanban/order` (docs/reference/board.md). */
export function registerBoardOrder(server: FastifyInstance, context: CommandContext): void {
  server.put('/api/v1/Kanban/order', orderCards, async (request, reply) => {
    const input = { command: placeCardsCommand, body: request.body, entity: 'User' };
    const { body, ...command } = await readCommand(context, request, input);
    const { actor } = command;
    const answer = await context.sender.sendPlanned(placeCardsCommand, {
      ...command,
      id: actor.id,
      conditions: {},
      async plan() {
        const model = await resolveEntity(context, requireText(body, 'entityType'));
        const group = requireText(body, 'group');
        const ids = toIds(body['ids']);
        if (ids === undefined) throw missingIds();
        requireScope(actor, model.name, 'read');
        requireGroup(requireBoard(model), group);
        return { [orderAttribute(model.name, group)]: [...ids] };
      },
    });
    return sendJson(setWriteHeaders(reply, [answer]), true);
  });
}

function missingIds(): Refusal {
  return new Refusal(
    'invalid',
    'body.value_missing',
    "'ids' is missing from the body, or is not a list of ids.",
  );
}

const orderCards = describeRoute({
  id: 'Kanban_order',
  tag: 'Several records',
  summary: 'Put cards first in a group of your board',
  description:
    'The order applies to the requesting user. The other cards of the group follow in their order, of which the first 50 are kept.',
  parameters: ['Idempotency-Key'],
  body: objectOf({ entityType: text, group: text, ids: { type: 'array', items: id } }),
  answer: { const: true },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [...written, 'body.value_missing', 'kanban.no_status', 'kanban.unknown_group'],
});
