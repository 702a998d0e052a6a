import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  acknowledgementsId,
  acknowledgementsIn,
  acknowledgementsType,
  decideAcknowledgement,
  readReason,
} from '../../../shared/domain/finding/acknowledgements.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { defineChange } from '../owner/define-command.ts';
import { asObject, asText, type JsonObject, nullable } from '../owner/read-body.ts';

/** Sent between instances as JSON. */
interface AcknowledgementInput {
  /** The id of the finding. */
  readonly finding: string;
  readonly code: string;
  /** Null withdraws the acknowledgement. */
  readonly reason: string | null;
}

export const acknowledgeFindingCommand = defineChange({
  name: 'acknowledge-finding',
  readBody: asObject<AcknowledgementInput>({
    finding: asText,
    code: asText,
    reason: nullable(asText),
  }),
  entityType: acknowledgementsType,
  decide(state, { actor, body }, { now }) {
    requireAdministrator(actor);
    const { finding, code, reason } = body;
    const by = { byId: actor.id, at: new Date(now).toISOString() };
    return decideAcknowledgement(state, finding, reason === null ? null : { code, reason, ...by });
  },
});

/** A finding that can be acknowledged. */
interface Warning {
  readonly id?: string;
  readonly code: string;
}

type Params = { readonly id: string };

/** Registers the routes that acknowledge a finding of doctor (docs/reference/system.md#acknowledged-warnings). */
export function registerAcknowledgementRoutes(
  server: FastifyInstance,
  context: CommandContext,
  readFindings: () => Promise<readonly Warning[]>,
): void {
  server.post<{ Params: Params }>(path, acknowledging, async (request, reply) =>
    acknowledge(context, { request, reply }, async (id, body) => {
      const reason = readReason(body['reason']);
      const finding = (await readFindings()).find((one) => one.id === id);
      if (finding === undefined) throw noSuchFinding();
      return { finding: id, code: finding.code, reason };
    }),
  );

  server.delete<{ Params: Params }>(path, withdrawing, async (request, reply) =>
    acknowledge(context, { request, reply }, async (id) => {
      const stored = context.directory.record(acknowledgementsType, acknowledgementsId);
      const known = acknowledgementsIn(stored).get(id);
      if (known === undefined) throw noSuchFinding();
      return { finding: id, code: known.code, reason: null };
    }),
  );
}

interface Exchange {
  readonly request: FastifyRequest<{ Params: Params }>;
  readonly reply: FastifyReply;
}

async function acknowledge(
  context: CommandContext,
  { request, reply }: Exchange,
  plan: (findingId: string, body: JsonObject) => Promise<AcknowledgementInput>,
): Promise<FastifyReply> {
  const { id } = request.params;
  const input = { command: acknowledgeFindingCommand, body: request.body ?? {}, id };
  const { body, ...command } = await readCommand(context, request, { ...input, entity: 'User' });
  const answer = await context.sender.sendPlanned(acknowledgeFindingCommand, {
    ...command,
    id: acknowledgementsId,
    conditions: {},
    // Findings are read from the directory in memory, not from Postgres.
    untilReadable: false,
    async plan() {
      requireAdministrator(command.actor);
      return plan(id, body);
    },
  });
  await context.catchUp();
  return sendJson(setWriteHeaders(reply, [answer]), true);
}

function noSuchFinding(): Refusal {
  return new Refusal(
    'not_found',
    'finding.not_found',
    'No current warning has this id. It may have changed: read the findings again.',
  );
}

const path = '/api/v1/System/findings/:id/acknowledgement';

const described = {
  tag: 'System',
  parameters: ['id', 'Idempotency-Key'],
  answer: { const: true },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
} as const;

const acknowledging = describeRoute({
  ...described,
  id: 'System_acknowledgeFinding',
  summary: 'Acknowledge a warning of doctor',
  description:
    'The warning no longer counts until its code, its parameters or its links change. For administrators.',
  body: objectOf({ reason: { ...text, maxLength: 500 } }),
  errors: [...written, 'access.admin_only', 'finding.not_found', 'record.invalid'],
});

const withdrawing = describeRoute({
  ...described,
  id: 'System_withdrawAcknowledgement',
  summary: 'Withdraw the acknowledgement of a warning',
  description: 'The warning counts again. For administrators.',
  errors: [...written, 'access.admin_only', 'finding.not_found'],
});
