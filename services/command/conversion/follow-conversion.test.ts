import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { systemAdministrator as actor, type Command } from '../owner/command.ts';
import { followConversion } from './follow-conversion.ts';
import type { Conversion } from './lead-conversion.ts';

const directory = createDirectory(stockDefinitions);
const conversion: Conversion = {
  actorId: actor.id,
  records: { Contact: { id: 'c', name: 'C', body: {} } },
  linked: { Meeting: ['m1', 'm2'], Document: ['d'] },
};

/** A command that a conversion sends. */
type SentCommand = Command<object> & { readonly name: string };

async function follow({
  refuse = () => undefined,
  gone = [],
  decided = conversion,
}: {
  readonly refuse?: (sent: SentCommand) => Error | undefined;
  readonly gone?: readonly string[];
  readonly decided?: Conversion;
}) {
  const sent: SentCommand[] = [];
  const stateOf = (id: string) => ({
    entityType: 'x',
    id,
    version: 1,
    deleted: gone.includes(id),
    values: {},
  });
  const context = commandContext({
    directory,
    sender: senderOf(async ({ name }, command) => {
      const one = { name, ...command };
      sent.push(one);
      const refusal = refuse(one);
      if (refusal !== undefined) throw refusal;
      const state = stateOf(String(command.id));
      return { state, consistencyToken: 'r0-1', isReplay: false, changed: [] };
    }),
    readState: async (_: unknown, id: string) => stateOf(id),
  });
  const asking = { leadId: 'l', conversion: decided, actor, deadline: 1 };
  const following = followConversion({ ...context, ...asking });
  const error = await following.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { sent, error, steps: sent.map(({ name, id }) => `${name} ${id}`) };
}

const whole = ['create c', 'convert-link m1', 'convert-link m2', 'convert-link d', 'convert-end l'];

describe('a decided conversion', () => {
  it('creates and links its records with a separate key per command, then ends', async () => {
    const { sent, steps } = await follow({});
    expect(steps).toEqual(whole);
    expect(new Set(sent.map(({ commandId }) => commandId)).size).toBe(whole.length);
    expect(sent[1]?.body).toEqual({ leadId: 'l', records: { Contact: 'c' } });
  });

  it('retries failed steps with the same keys before it ends', async () => {
    const first = await follow({
      refuse: ({ id }) => (id === 'd' ? new Unavailable('down') : undefined),
    });
    expect(first.error).toBeInstanceOf(Unavailable);
    expect(first.steps).toEqual(whole.slice(0, -1));
    const second = await follow({});
    expect(second.steps).toEqual(whole);
    const keys = (sent: readonly SentCommand[]) => sent.map(({ commandId }) => commandId);
    expect(keys(second.sent).slice(0, -1)).toEqual(keys(first.sent));
  });

  it('continues without records that were deleted in the meantime', async () => {
    const { error, steps } = await follow({
      refuse: ({ id }) => (id === 'm1' ? recordNotFound(id) : undefined),
    });
    expect(error).toBeUndefined();
    expect(steps).toEqual(whole);
    const contactGone = await follow({ gone: ['c'] });
    expect(contactGone.sent[1]?.body).toEqual({ leadId: 'l', records: {} });
    const leadGone = await follow({
      refuse: ({ id }) => (id === 'l' ? recordNotFound(id) : undefined),
    });
    expect(leadGone.error).toBeUndefined();
  });

  it('stops if any other command is rejected', async () => {
    const denied = new Refusal('forbidden', 'access.denied', 'No.');
    const { error, steps } = await follow({
      refuse: ({ name }) => (name === 'create' ? denied : undefined),
    });
    expect(error).toBe(denied);
    expect(steps).toEqual(['create c']);
  });

  it('ends immediately if nothing is linked to the lead', async () => {
    const { linked: _, ...decided } = conversion;
    expect((await follow({ decided })).steps).toEqual(['create c']);
  });
});
