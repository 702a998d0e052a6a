import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import type { Command } from '../owner/command.ts';
import { decideConversionEnd } from './conversion-commands.ts';
import { convertLead } from './convert-lead.ts';
import type { Conversion } from './lead-conversion.ts';

const directory = createDirectory(stockDefinitions);
directory.apply(aCreation('User', { userName: 'ann', type: 'admin' }, { recordId: 'ann' }));
const ann = directory.record('User', 'ann');
const model = directory.entity('Lead');
if (ann === undefined || model === undefined) throw new Error('no user, or no leads');
const actor = directory.actor(ann);

const earlier: Conversion = {
  actorId: 'ann',
  records: { Contact: { id: 'c', name: 'C', body: {} } },
  linked: { Meeting: ['m'] },
};

/**
 * Returns the commands that a request to convert a lead sends. The lead stores `earlier` as its previous conversion.
 */
async function convert(
  remembered: Conversion | undefined,
  refuse: (asked: { readonly name: string }) => boolean = () => false,
  records: Readonly<Record<string, unknown>> = {},
) {
  const steps: string[] = [];
  const stateOf = (entityType: string, id: string) => ({
    entityType,
    id,
    version: 1,
    deleted: false,
    values: remembered === undefined ? {} : { conversion: JSON.stringify(remembered) },
  });
  const command: Command & { readonly id: string } = {
    actor,
    model: model as never,
    id: 'l',
    body: { id: 'l', records },
    conditions: {},
    deadline: 1,
    commandId: null,
    commandHash: null,
    untilReadable: true,
  };
  const context = commandContext({
    directory,
    newId: () => 'new',
    checkCreation: async () => ({ values: {}, duplicates: [] }),
    untilCaughtUp: async () => undefined,
    async *findReferring() {
      yield [];
    },
    readState: async ({ name }: EntityModel, id: string) => stateOf(name, id),
    sender: senderOf(async ({ name }, command) => {
      const one = { name, ...command };
      steps.push(`${one.name} ${one.id}`);
      if (refuse(one)) throw new Refusal('forbidden', 'access.denied', 'No.');
      const state = { ...stateOf(one.model.name, String(one.id)), values: {} };
      return { state, consistencyToken: 'r0-1', isReplay: false, changed: [] };
    }),
  });
  await convertLead(command, context);
  return steps;
}

describe('a second conversion of a lead', () => {
  it('first completes the previous conversion', async () => {
    expect(await convert(earlier)).toEqual([
      'create c',
      'convert-link m',
      'convert-end l',
      'convert l',
    ]);
    const { linked: _, ...ended } = earlier;
    expect(await convert(ended)).toEqual(['convert l']);
    expect(await convert(undefined)).toEqual(['convert l']);
  });

  it('succeeds even if commands of the previous conversion are rejected', async () => {
    const steps = await convert(earlier, ({ name }) => name === 'create');
    expect(steps).toEqual(['create c', 'convert l']);
  });
});

it.each(['a\0b', '\ud800', { deep: ['\0'] }])(
  'rejects a conversion with %j in any attribute',
  async (unknown) => {
    const records = { Account: { name: 'A', unknown } };
    await expect(convert(undefined, () => false, records)).rejects.toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'lead.records' }),
    );
  },
);

describe('ending a conversion', () => {
  const endWhere = (conversion: Conversion) => {
    const values = { conversion: JSON.stringify(conversion) };
    const state = { entityType: 'Lead', id: 'l', version: 1, deleted: false, values };
    return decideConversionEnd(state, { id: 'l', body: earlier });
  };

  it('removes the ids of the planned links', () => {
    const { linked: _, ...ended } = earlier;
    expect(endWhere(earlier)?.changes).toMatchObject([
      { attribute: 'conversion', after: JSON.stringify(ended) },
    ]);
    expect(endWhere(ended)).toBeUndefined();
  });

  it('does not end a newer conversion', () => {
    const records = { Contact: { id: 'd', name: 'D', body: {} } };
    expect(endWhere({ ...earlier, records })).toBeUndefined();
  });
});
