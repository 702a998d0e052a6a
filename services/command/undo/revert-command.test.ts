import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { Change } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { encodeEvent } from '../../../shared/events/log-entry-codec.ts';
import {
  commandContext,
  decideOn,
  writerOf,
} from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { unrepeated } from '../owner/command.ts';
import { resolveLinks } from '../records/input/resolve-links.ts';
import { revertCommand } from './revert-command.ts';

const directory = createDirectory(stockDefinitions);
const actor = buildActor(
  { id: 'ann', name: 'Ann', userName: 'ann', type: 'admin', teamIds: [] },
  [],
);
const linked = { id: 'a', $readable: true, w0: 'Acme' };

/** Undoes version 2 of a record, and returns the values that the undo changes. */
async function undo(
  entityType: string,
  {
    changes,
    values,
    found = [linked],
  }: {
    readonly changes: readonly Change[];
    readonly values: AttributeValues;
    readonly found?: readonly object[];
  },
) {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`no ${entityType}`);
  const update = { recordId: 'x', version: 2, type: 'Updated', changes } as const;
  const event = encodeEvent({ ...aCreation(entityType, {}, update), token: 't', sequence: 1 });
  const rows = [{ event }];
  const query = async (text: string) => ({ rows: text.includes('history') ? rows : found });
  const reads = { pool: { query }, directory } as unknown as Parameters<typeof resolveLinks>[0];
  const state = { entityType, id: 'x', version: 3, deleted: false, values };
  let changed: AttributeValues = {};
  const writer = writerOf(async (submission) => {
    const differing = decideOn(state, submission)?.changes.filter(
      ({ before, after }) => before !== after,
    );
    changed = Object.fromEntries(
      differing?.map(({ attribute, after }) => [attribute, after]) ?? [],
    );
    return { state: { ...state, values: { ...values, ...changed } }, offset: 1n, changed: [] };
  });
  const context = commandContext({
    ...reads,
    resolveLinks: (links: Parameters<typeof resolveLinks>[1]) => resolveLinks(reads, links),
    teamsOf: () => [],
    currencies: () => new Map(),
    writers: [writer],
  });
  const body = {
    changeId: `${entityType}/x/2`,
    authorId: 'ann',
    at: 0,
    event: { entityType, recordId: 'x', version: 2 },
    steps: [],
    first: [],
  };
  const request = {
    actor,
    model,
    id: 'x',
    body,
    conditions: {},
    identity: unrepeated,
    deadline: 0,
  };
  const { warnings = [] } = await revertCommand.execute(context, request);
  return warnings.length === 0 ? changed : { ...changed, warnings };
}

describe('undoing a change to one record', () => {
  it('restores the type of a parent that was replaced within the same type', async () => {
    const changes = [
      { attribute: 'parentId', before: 'a', after: 'b' },
      { attribute: 'parentType', before: 'Account', after: 'Account' },
    ];
    const values = { name: 'Call', parentId: 'b', parentType: 'Account', parentName: 'Ajax' };
    expect(await undo('Task', { changes, values })).toEqual({
      parentId: 'a',
      parentName: 'Acme',
    });
  });

  it('reports a link to a deleted record and restores the other fields', async () => {
    const changes = [
      { attribute: 'parentId', before: 'a', after: 'b' },
      { attribute: 'parentType', before: 'Account', after: 'Account' },
      { attribute: 'name', before: 'Call', after: 'Write' },
    ];
    const values = { name: 'Write', parentId: 'b', parentType: 'Account', parentName: 'Ajax' };
    expect(await undo('Task', { changes, values, found: [] })).toEqual({
      name: 'Call',
      warnings: ['Linked to a deleted record, and kept: parent.'],
    });
    const [id, type] = changes;
    if (id === undefined || type === undefined) throw new Error('no changes');
    const alone = { changes: [id, type], values, found: [] };
    await expect(undo('Task', alone)).rejects.toMatchObject({ code: 'link.non_existing' });
  });

  it('does not restore an amount in a currency that was chosen later', async () => {
    const changes = [
      { attribute: 'amount', before: 100, after: 200 },
      { attribute: 'amountCurrency', before: 'USD', after: 'USD' },
    ];
    const values = { name: 'Deal', amount: 200, amountCurrency: 'EUR' };
    await expect(undo('Opportunity', { changes, values })).rejects.toMatchObject({
      code: 'undo.changed_since',
    });
  });
});
