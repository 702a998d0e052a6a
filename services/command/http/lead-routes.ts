import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type ConvertDeps, convertLead } from '../actions/convert-lead.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

/** `POST Lead/action/convert` (api-facts 6.1). `answer` writes the lead as other writes answer records. */
export function registerLeadRoutes(
  server: FastifyInstance,
  deps: CommandRouteDeps & ConvertDeps,
  toBody: (command: RoutedCommand, answer: RoutedAnswer) => Promise<unknown>,
): void {
  server.post('/api/v1/Lead/action/convert', async (request, reply) => {
    const { id } = Object(request.body);
    const asked = {
      action: 'convert',
      body: request.body,
      id: String(id),
      entity: 'Lead',
    } as const;
    const command = await readCommand(deps, request, asked);
    if (typeof id !== 'string' || id === '') {
      throw new Refusal('invalid', 'lead.id', "'id' of a lead is needed.");
    }
    const answer = await convertLead(command, deps);
    const body = await toBody(command, answer);
    return reply.header('Content-Type', 'application/json').send(JSON.stringify(body));
  });
}
