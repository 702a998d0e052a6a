import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import type { Command } from '../owner/command.ts';
import { type SerializedRefusal, toRefusal } from '../owner/protocol.ts';
import { createRecord } from './create.ts';

const directory = createDirectory(stockDefinitions);
const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
const user = { id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] } as const;

interface Asked {
  readonly body: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly fieldData?: Readonly<Record<string, unknown>>;
  readonly commandId?: string;
  /** True if the first attempt of the request created the record. */
  readonly isDone?: boolean;
}

/** Every type has two existing records: an unlinked one, and an opportunity of another account. */
const known: Readonly<Record<string, AttributeValues>> = { free: {}, taken: { accountId: 'b' } };

const planned = vi.fn();
beforeEach(() => void planned.mockClear());

/** Returns the commands that create an account, or the code of the refusal. */
async function create({ body, data, fieldData = {}, commandId, isDone = false }: Asked) {
  const model = directory.entity('Account');
  if (model === undefined) throw new Error('no Account');
  const values = { data: data ?? { Account: all, Contact: all, Opportunity: all }, fieldData };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values } as never;
  const command: Command = {
    actor: buildActor(user, [role]),
    model,
    body,
    conditions: {},
    deadline: 0,
    commandId: commandId ?? null,
    commandHash: null,
    untilReadable: false,
  };
  const routed: object[] = [];
  const state = { entityType: 'Account', id: 'new', version: 1, deleted: false, values: {} };
  const context = commandContext({
    directory,
    sender: senderOf(async ({ name }, command) => {
      if (name === 'repeat' && !isDone) throw toRefusal(command.body as SerializedRefusal);
      routed.push({ name, ...command });
      return { state, consistencyToken: '', isReplay: false, changed: [] };
    }),
    async readState({ name }: { readonly name: string }, id: string) {
      const found = known[id];
      return found && { entityType: name, id, version: 1, deleted: false, values: found };
    },
    untilCaughtUp: async () => undefined,
  });
  try {
    await createRecord(command, context, () => {
      planned();
      return body;
    });
    return routed;
  } catch (error) {
    expect(routed).toEqual([]);
    return Object(error).code;
  }
}

describe('a new record', () => {
  it('needs one command if its body names no links stored on other records', async () => {
    for (const body of [{}, { contactsIds: [] }, { contactsIds: null, teamsIds: ['t'] }]) {
      expect(await create({ body })).toMatchObject([{ name: 'create', untilReadable: false }]);
    }
  });

  it('is created first and then linked with one command per linked record', async () => {
    const body = { contactsIds: ['free', 'free'], opportunitiesIds: ['free'] };
    const linked = { ids: ['new'], entityType: 'Account', side: 'foreign', isNew: true };
    expect(await create({ body, commandId: 'key' })).toMatchObject([
      { name: 'create', untilReadable: true, commandId: 'key' },
      {
        name: 'link',
        id: 'free',
        model: { name: 'Contact' },
        commandId: 'key/contacts/free',
        body: { ...linked, field: 'accounts' },
      },
      {
        name: 'link',
        model: { name: 'Opportunity' },
        commandId: 'key/opportunities/free',
        body: { ...linked, field: 'account', keepsLinked: true },
      },
    ]);
  });

  it.each<readonly [Asked, string]>([
    [{ body: { contactsIds: 'free' } }, 'link.ids'],
    [{ body: { contactsIds: [{}] } }, 'link.ids'],
    [{ body: { contactsIds: ['free', 'other'] } }, 'link.several'],
    [{ body: { contactsIds: ['nobody'] } }, 'link.non_existing'],
    [{ body: { opportunitiesIds: ['taken'] } }, 'link.already_linked'],
    [
      { body: { contactsIds: ['free'] }, data: { Account: all, Contact: { read: 'all' } } },
      'link.no_access',
    ],
    [
      { body: { contactsIds: ['free'] }, fieldData: { Contact: { accounts: { edit: 'no' } } } },
      'link.no_access',
    ],
    [{ body: { contactsIds: ['free'] }, data: { Contact: all } }, 'access.denied'],
  ])('is rejected with %j', async (input, code) => {
    expect(await create(input)).toBe(code);
  });

  it('gets its remaining links when its creation is repeated with the same key', async () => {
    const again = { body: { opportunitiesIds: ['taken'] }, commandId: 'key' };
    expect(await create(again)).toBe('link.already_linked');
    expect(await create({ ...again, isDone: true })).toMatchObject([
      { name: 'repeat' },
      { name: 'link' },
    ]);
    // The plan determines the remaining steps.
    expect(planned).toHaveBeenCalled();
  });
});
