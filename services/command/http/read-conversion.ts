import type { FastifyRequest } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { ratesIn } from '../../../shared/domain/field/currency-rates.ts';
import { massActionKind, readTargetCurrency } from '../actions/mass-action-kinds.ts';
import type { RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

interface AskedAction {
  readonly action: string;
  readonly entity: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Mass actions that are done with a single record as well; who may edit it needs no other permission for that. */
const single: ReadonlySet<string> = new Set(['convertCurrency', 'lock', 'unlock']);

/** Bringing the amounts of one record into one currency, as a command. Refuses what no record has. */
export async function readConversion(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  { action, entity, id, data }: AskedAction,
): Promise<RoutedCommand> {
  const kind = single.has(action) ? massActionKind(action) : undefined;
  if (kind === undefined) {
    throw new Refusal('not_found', 'action.unknown', 'There is no such action of a record.');
  }
  const asked = { action: 'convert-currency', body: request.body, entity, id } as const;
  const command = await readCommand(deps, request, asked);
  const { actor, model } = command;
  if (!kind.isFor(model)) {
    const message = `Action '${action}' is not allowed for ${model.name}.`;
    throw new Refusal('forbidden', 'mass_action.not_allowed', message);
  }
  requireScope(actor, model.name, 'edit');
  const currencies = ratesIn(deps.directory);
  return { ...command, body: { targetCurrency: readTargetCurrency({ data, currencies }) } };
}
