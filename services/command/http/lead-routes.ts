import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { convertAttributes } from '../actions/convert-attributes.ts';
import { type ConvertDeps, type ConvertedDeps, convertLead } from '../actions/convert-lead.ts';
import type { RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';
import { sendWritten } from './send-written.ts';

type LeadRouteDeps = CommandRouteDeps & ConvertDeps & ConvertedDeps;

/** Lead conversion (api-facts 6.1). `toBody` writes the lead as other writes answer records. */
export function registerLeadRoutes(
  server: FastifyInstance,
  deps: LeadRouteDeps,
  toBody: (
    command: RoutedCommand,
    state: RecordState,
  ) => Promise<Readonly<Record<string, AttributeValue>>>,
): void {
  server.post('/api/v1/Lead/action/convert', async (request, reply) => {
    const command = await readLeadCommand(deps, request);
    const answer = await convertLead(command, deps);
    return sendWritten(reply, { request, answer, body: await toBody(command, answer.state) });
  });

  server.post('/api/v1/Lead/action/getConvertAttributes', async (request, reply) => {
    const command = await readLeadCommand(deps, request);
    const { actor, model } = command;
    requireScope(actor, 'Lead', 'read');
    const state = live(await deps.readState(model, command.id), command.id);
    requireRecordAccess(actor, 'read', { ...state, model });
    // Nothing was sent for the lead itself: what stands behind its links is shown to those who may read it there.
    const lead = await toBody({ ...command, body: {} }, state);
    return sendJson(reply, convertAttributes({ actor, model, lead }, deps.directory.entity));
  });
}

/** A command for the lead that the body names. */
async function readLeadCommand(
  deps: LeadRouteDeps,
  request: FastifyRequest,
): Promise<RoutedCommand & { readonly id: string }> {
  const id = textIn(request.body, 'id');
  const asked = { action: 'convert', body: request.body, entity: 'Lead' } as const;
  const command = await readCommand(deps, request, { ...asked, id });
  if (id !== '') return { ...command, id };
  throw new Refusal('invalid', 'lead.id', "'id' of a lead is needed.");
}
