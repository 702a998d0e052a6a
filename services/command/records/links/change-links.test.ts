import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../../shared/domain/entity/stock/stock-definitions.ts';
import type { Conditions } from '../../../../shared/domain/record/conditions.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import { aWriter, commandContext } from '../../../../test/support/builders/command-context.ts';
import { unrepeated } from '../../owner/command.ts';
import { noLinkAccess } from '../input/link-refusals.ts';
import { linkCommand } from '../link.ts';
import { type LinkChange, prepareLinkChange } from './change-links.ts';

const { entity } = createDirectory(stockDefinitions);
const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
const user = { id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] } as const;

function actorWith(data: Readonly<Record<string, unknown>>) {
  const values = { data } as never;
  return buildActor(user, [{ entityType: 'Role', id: 'r', version: 1, deleted: false, values }]);
}

interface Change {
  readonly name?: string;
  readonly body?: Omit<LinkChange, 'side'> & { readonly side?: string };
  readonly actor?: ReturnType<typeof actorWith>;
  readonly values?: AttributeValues;
  readonly conditions?: Conditions;
  /** True if the records with these ids may not be edited. */
  readonly isClosed?: boolean;
}

/** Returns the changed values, or the refusal. The record has version 3. */
async function link({ name = 'Opportunity', conditions = {}, values = {}, ...more }: Change) {
  const model = entity(name);
  if (model === undefined) throw new Error(`no ${name}`);
  const { actor = actorWith({ [name]: all }), isClosed = false } = more;
  const { body = { field: 'account', ids: ['a'], entityType: 'Account' } } = more;
  const request = { actor, model, id: 'x', conditions, identity: unrepeated, deadline: 0 };
  const context = commandContext({
    resolveLinks: async () => ({ values: { accountName: 'A' }, unreadable: [] }),
    async requireEditable(input: { readonly side: 'own' | 'foreign' }) {
      if (isClosed) throw noLinkAccess(input.side, 'Account');
    },
  });
  try {
    const decide = await prepareLinkChange(
      'link',
      { ...request, body: linkCommand.readBody(body) },
      context,
    );
    const state = { entityType: name, id: 'x', version: 3, deleted: false, values };
    const changes = decide(state, aWriter)?.changes ?? [];
    return Object.fromEntries(changes.map(({ attribute, after }) => [attribute, after]));
  } catch (error) {
    return error;
  }
}

const fromThere = { field: 'account', ids: ['a'], entityType: 'Account', side: 'foreign' };
const label = (name: string) => ({
  kind: 'forbidden',
  detail: { messageTranslation: { label: name, data: { action: 'edit' } } },
});

describe('a change to links', () => {
  it('reports the side that may not be edited, whichever record stores the link', async () => {
    const reader = actorWith({ Opportunity: { ...all, edit: 'no' } });
    const owner = actorWith({ Opportunity: { ...all, edit: 'own' } });
    for (const actor of [reader, owner]) {
      expect(await link({ actor })).toMatchObject(label('noAccessToRecord'));
      expect(await link({ actor, body: fromThere })).toMatchObject(
        label('noAccessToForeignRecord'),
      );
    }
    expect(await link({ isClosed: true })).toMatchObject(label('noAccessToForeignRecord'));
    expect(await link({ isClosed: true, body: fromThere })).toMatchObject(
      label('noAccessToRecord'),
    );
  });

  it('requires no permission for a record that the same request has created', async () => {
    const body = { ...fromThere, isNew: true };
    expect(await link({ isClosed: true, body })).toMatchObject({ accountId: 'a' });
  });

  it('requires the expected version', async () => {
    const refused = { code: 'record.version_differs' };
    expect(await link({ conditions: { ifMatch: [2] } })).toMatchObject(refused);
    expect(await link({ conditions: { ifMatch: [2, 3] } })).toMatchObject({ accountId: 'a' });
  });

  it('moves a linked record only if the link allows it', async () => {
    const values = { accountId: 'b', accountName: 'B' };
    expect(await link({ values, body: fromThere })).toMatchObject({ accountId: 'a' });
    const kept = { ...fromThere, keepsLinked: true };
    expect(await link({ values, body: kept })).toMatchObject({
      code: 'link.already_linked',
      detail: { messageTranslation: { label: 'cannotLinkAlreadyLinked' } },
    });
    expect(await link({ body: kept })).toMatchObject({ accountId: 'a' });
    const same = { accountId: 'a', accountName: 'A' };
    expect(await link({ values: same, body: kept })).toEqual({});
  });
});
