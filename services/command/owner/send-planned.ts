import { Refusal } from '../../../shared/domain/errors.ts';
import { type CommandDefinition, defineCommand } from './define-command.ts';
import type { Command, CommandAnswer, Sender } from './send-to-owner.ts';
import { readSerializedRefusal, serializeRefusal, toRefusal } from './serialized-refusal.ts';
import type { Executed } from './write-request.ts';

/** The refusal of a request that may be a repeat. Its owner answers the first try, or refuses if there was none. */
export const repeatCommand = defineCommand({
  name: 'repeat',
  readBody: readSerializedRefusal,
  execute: async (_owner: object, { body }): Promise<Executed> => {
    throw toRefusal(body);
  },
});

/**
 * Plans a command from what this instance reads, and sends it. A repeat under an Idempotency-Key may be refused by now,
 * often because of what the first try did; only the owner knows whether there was one, and answers it.
 */
export async function sendPlanned<Body extends object>(
  { sendToOwner }: Pick<Sender, 'sendToOwner'>,
  definition: CommandDefinition<string, Body>,
  { plan, ...command }: Omit<Command, 'body'> & { readonly plan: () => Body | Promise<Body> },
): Promise<CommandAnswer> {
  let body: Body;
  try {
    body = await plan();
  } catch (error) {
    if (!(error instanceof Refusal) || command.commandId === null) throw error;
    return sendToOwner(repeatCommand, { ...command, body: serializeRefusal(error) });
  }
  return sendToOwner(definition, { ...command, body });
}
