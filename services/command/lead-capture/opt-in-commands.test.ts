import { expect, it } from 'vitest';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { leadOptInDefinition } from '../../../shared/domain/entity/stock/internal-records.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import {
  commandContext,
  decideOn,
  writerOf,
} from '../../../test/support/builders/command-context.ts';
import { bySystem, unrepeated } from '../owner/command.ts';
import { confirmOptInCommand, expireOptInCommand } from './opt-in-commands.ts';

const atMs = Date.parse('2026-11-27T12:00:00Z');
const waiting = { content: 'sealed', expiresAt: '2026-11-27 12:00:00' };

/** Returns the values of the opt-in after the command; undefined if it changes nothing. */
async function after(
  command: typeof confirmOptInCommand | typeof expireOptInCommand,
  values: AttributeValues,
) {
  const state = { entityType: '', id: 'a', version: 1, deleted: false, values };
  let decided: Decision | undefined;
  const writer = writerOf(async (submission) => {
    decided = decideOn(state, submission);
    return { state, offset: 0n, changed: [] };
  });
  await command.execute(commandContext({ writers: [writer] }), {
    ...bySystem,
    identity: unrepeated,
    model: buildEntityModel(leadOptInDefinition),
    id: 'a',
    body: { atMs },
    deadline: 0,
  });
  const changes = decided?.changes.map(({ attribute, after: value }) => [attribute, value]);
  return changes && { ...values, ...Object.fromEntries(changes) };
}

it('removes the values of an opt-in at the end of its lifetime, not before', async () => {
  expect(await after(expireOptInCommand, waiting)).toEqual({ content: null, expiresAt: null });
  const later = { ...waiting, expiresAt: '2026-11-27 12:00:01' };
  expect(await after(expireOptInCommand, later)).toBe(undefined);
});

it('removes the values once, whether a visit or the end of the lifetime comes first', async () => {
  const confirmed = { confirmedAt: '2026-11-27 12:00:00', content: null, expiresAt: null };
  expect(await after(confirmOptInCommand, waiting)).toEqual(confirmed);
  expect(await after(expireOptInCommand, confirmed)).toBe(undefined);
  expect(await after(confirmOptInCommand, { content: null, expiresAt: null })).toEqual(confirmed);
  expect(await after(confirmOptInCommand, confirmed)).toBe(undefined);
});
