import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Actor } from '../../shared/domain/access/actor.ts';
import { buildActor } from '../../shared/domain/access/build-actor.ts';
import type { AttributeValues } from '../../shared/domain/record/attribute-values.ts';
import { createRandomSource, type RandomSource } from '../support/random-source.ts';
import { type QueryExample, startQueryExample } from './query-example.ts';

const seed = Number(process.env['TEST_SEED'] ?? 20_261_121);
const rounds = 80;
const users = ['u1', 'u2', 'u3'];
const teams = ['t1', 't2', 't3'];
const levels = ['all', 'team', 'own', 'no'];
const closable = { Contact: ['title', 'address', 'account'], Account: ['type', 'name'] };

type Stored = AttributeValues & { readonly id: string };

let example: QueryExample;
const random = createRandomSource(seed);
const accounts: Stored[] = [];
const contacts: Stored[] = [];

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  const some = (from: readonly string[]) => from.filter(() => random.chance(0.4));
  const one = (from: readonly string[]) => (random.chance(0.8) ? random.pick(from) : null);
  const owners = () => ({
    assignedUserId: one(users),
    createdById: random.pick(users),
    teamsIds: some(teams),
  });
  for (let index = 0; index < 12; index++) {
    const type = random.pick(['Customer', 'Partner']);
    accounts.push({ id: `a${index}`, name: `Account ${index}`, type, ...owners() });
  }
  for (let index = 0; index < 30; index++) {
    const accountId = one(accounts.map(({ id }) => id));
    const values = {
      name: `Contact ${index}`,
      title: `Title ${index}`,
      addressCity: 'Rome',
      accountId,
    };
    contacts.push({ id: `c${index}`, ...values, ...owners() });
  }
  for (const row of accounts) await example.store('Account', row);
  for (const row of contacts) await example.store('Contact', row);
});
afterAll(async () => example.close());

/** Somebody with a role drawn at random. */
function drawActor(source: RandomSource, round: number): { actor: Actor; rights: Rights } {
  const level = { Contact: source.pick(levels), Account: source.pick(levels) };
  const closed = Object.entries(closable).flatMap(([scope, fields]) =>
    fields.filter(() => source.chance(0.3)).map((field) => ({ scope, field })),
  );
  const fieldData = Object.fromEntries(
    Object.keys(closable).map((scope) => [
      scope,
      Object.fromEntries(
        closed
          .filter((one) => one.scope === scope)
          .map(({ field }) => [field, { read: 'no', edit: 'no' }]),
      ),
    ]),
  );
  const data = { Contact: { read: level.Contact }, Account: { read: level.Account } };
  const role = {
    entityType: 'Role',
    id: 'r',
    version: 1,
    deleted: false,
    values: { data, fieldData },
  };
  const id = source.pick(users);
  const teamIds = teams.filter(() => source.chance(0.5));
  const user = { id, name: id, userName: `${id}-${round}`, type: 'api', teamIds } as const;
  return {
    actor: buildActor(user, [role]),
    rights: {
      id,
      teamIds,
      level,
      closed: new Set(closed.map(({ scope, field }) => `${scope}.${field}`)),
    },
  };
}

interface Rights {
  readonly id: string;
  readonly teamIds: readonly string[];
  readonly level: Readonly<Record<'Contact' | 'Account', string>>;
  readonly closed: ReadonlySet<string>;
}

/** The rule in other words than the product's. */
function maySee(
  { id, teamIds, level }: Rights,
  scope: 'Contact' | 'Account',
  row: Stored,
): boolean {
  if (level[scope] === 'all') return true;
  if (level[scope] === 'no') return false;
  const isMine = row['assignedUserId'] === id;
  const shared = (row['teamsIds'] as string[]).some((team) => teamIds.includes(team));
  return isMine || (level[scope] === 'team' && shared);
}

/** What of a contact's link and fields is to be seen. */
function shownOf(rights: Rights, row: Stored): Readonly<Record<string, unknown>> {
  const { closed } = rights;
  const account = accounts.find(({ id }) => id === row['accountId']);
  const linked = account !== undefined && maySee(rights, 'Account', account) ? account : undefined;
  return {
    ...(closed.has('Contact.title') ? {} : { title: row['title'] }),
    ...(closed.has('Contact.address') ? {} : { addressCity: 'Rome' }),
    ...(closed.has('Contact.account') ? {} : { accountId: row['accountId'] }),
    ...(closed.has('Contact.account') || closed.has('Account.name')
      ? {}
      : { accountName: linked?.['name'] ?? null }),
    ...(closed.has('Account.type') ? {} : { accountType: linked?.['type'] ?? null }),
  };
}

const watched = ['title', 'addressCity', 'accountId', 'accountName', 'accountType'];

function watchedOf(body: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    watched.filter((name) => name in body).map((name) => [name, body[name]]),
  );
}

describe(`whoever reads (seed ${seed})`, () => {
  it.each(Array.from({ length: rounds }, (_, round) => round))(
    'gets exactly what the roles allow, round %i',
    async (round) => {
      const { actor, rights } = drawActor(random, round);
      example.admit(actor);
      if (rights.level.Contact === 'no') {
        expect((await example.get('/Contact', { 'x-actor': actor.id })).status).toBe(403);
        return;
      }
      const visible = contacts.filter((row) => maySee(rights, 'Contact', row));
      await expectList(rights, visible);
      await expectSingle(rights, visible);
      await expectOrders(rights);
    },
  );
});

async function expectList(rights: Rights, visible: readonly Stored[]): Promise<void> {
  const list = await example.get('/Contact?maxSize=200&orderBy=id', { 'x-actor': rights.id });
  const expected = visible.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(list.body.total).toBe(visible.length);
  expect(list.body.list.map(({ id }: Stored) => id)).toEqual(expected.map(({ id }) => id));
  expect(list.body.list.map(watchedOf)).toEqual(expected.map((row) => shownOf(rights, row)));
}

async function expectSingle(rights: Rights, visible: readonly Stored[]): Promise<void> {
  const row = random.pick(contacts);
  const single = await example.get(`/Contact/${row.id}`, { 'x-actor': rights.id });
  expect(single.status).toBe(visible.includes(row) ? 200 : 403);
  if (visible.includes(row)) expect(watchedOf(single.body)).toEqual(shownOf(rights, row));
}

async function expectOrders({ id, closed }: Rights): Promise<void> {
  const fields = {
    title: ['Contact.title'],
    address: ['Contact.address'],
    account: ['Contact.account', 'Account.name'],
  };
  for (const [field, needed] of Object.entries(fields)) {
    const sorted = await example.get(`/Contact?orderBy=${field}`, { 'x-actor': id });
    expect(sorted.status).toBe(needed.some((one) => closed.has(one)) ? 400 : 200);
  }
}
