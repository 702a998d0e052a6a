import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type QueryExample, startQueryExample } from './query-example.ts';

let example: QueryExample;

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await example.createTables();
  for (const id of ['a1', 'a2', 'a3']) await example.store('Account', { id, name: id });
  const contacts: readonly (readonly [string, readonly string[], string])[] = [
    ['c1', ['a1', 'a2'], 'own'],
    ['c2', ['a1'], 'somebody'],
  ];
  for (const [id, accountsIds, assignedUserId] of contacts) {
    const accountsColumns = { a1: { role: `of ${id}`, isInactive: id === 'c2' } };
    await example.store('Contact', { id, name: id, accountsIds, accountsColumns, assignedUserId });
  }
  await example.store('Team', { id: 'team', name: 'team' });
  await example.store('Team', { id: 'else', name: 'else' });
  for (const [id, type, teamsIds] of [
    ['person', 'regular', ['team']],
    ['machine', 'api', ['team', 'else']],
    ['chief', 'admin', []],
  ] as const) {
    await example.store('User', {
      id,
      userName: id,
      type,
      isActive: true,
      teamsIds: [...teamsIds],
    });
  }
  await example.store('Lead', { id: 'led', assignedUserId: 'person' });
  await example.store('Lead', { id: 'driven', assignedUserId: 'machine' });
  await example.store('Contact', { id: 'c3', accountsIds: ['a3'], deleted: true });
  await example.store('Case', { id: 'case', name: 'case', accountId: 'a2' });
  await example.store('Task', { id: 'task', name: 'task', parentType: 'Account', parentId: 'a3' });
  await example.store('Task', { id: 'other', name: 'other', parentType: 'Lead', parentId: 'a2' });
  example.addActorWithRole('own', { Account: all, Contact: { ...all, read: 'own' } });
  example.addActorWithRole('none', { Account: all });
  const leads = { Lead: all, Team: { read: 'all' }, User: { read: 'all' } };
  example.addActorWithRole('teams', leads);
  example.addActorWithRole('own user', { ...leads, User: { read: 'own' } });
  example.addActorWithRole('no teams', { ...leads, Team: { read: 'team' } });
  example.addActorWithRole('closed teams', leads, { User: { teams: { read: 'no' } } });
  example.addActorWithRole(
    'closed column',
    { Contact: all },
    { Contact: { accounts: { read: 'no' } } },
  );
  example.addActorWithRole(
    'closed name',
    { Contact: all },
    { Contact: { accountRole: { read: 'no' } } },
  );
  example.addActorWithRole(
    'closed',
    { Account: all, Contact: all },
    { Contact: { accounts: { read: 'no' } } },
  );
});
afterAll(async () => example.close());

type Item = readonly [type: string, link: string, value?: unknown];

async function search([type, attribute, value]: Item, actor = 'admin', entityType = 'Account') {
  const query = encodeURIComponent(JSON.stringify({ where: [{ type, attribute, value }] }));
  return example.get(`/${entityType}?searchParams=${query}`, { 'x-actor': actor });
}

async function found(item: Item, actor?: string, entityType?: string): Promise<string> {
  const { body, text } = await search(item, actor, entityType);
  expect(body.list, text).toBeInstanceOf(Array);
  return body.list
    .map(({ id }: { readonly id: string }) => id)
    .toSorted()
    .join(' ');
}

describe('a condition on a link stored on the other side', () => {
  it.each<readonly [Item, string]>([
    [['linkedWith', 'contacts', 'c1'], 'a1 a2'],
    [['linkedWith', 'contacts', ['c2']], 'a1'],
    [['linkedWith', 'contacts', []], ''],
    [['notLinkedWith', 'contacts', 'c1'], 'a3'],
    [['linkedWithAll', 'contacts', ['c1', 'c2', 'c1']], 'a1'],
    [['linkedWithAll', 'contacts', []], 'a1 a2 a3'],
    [['isLinked', 'contacts'], 'a1 a2'],
    [['isNotLinked', 'contacts'], 'a3'],
    [['linkedWith', 'cases', 'case'], 'a2'],
    [['isNotLinked', 'cases'], 'a1 a3'],
    [['isLinked', 'tasks'], 'a3'],
    [['linkedWith', 'tasks', ['task', 'other']], 'a3'],
  ])('finds the records for %j: %s', async (item, ids) => {
    expect(await found(item)).toBe(ids);
  });

  it('treats unreadable records as not linked', async () => {
    expect(await found(['linkedWith', 'contacts', ['c1']], 'own')).toBe('a1 a2');
    expect(await found(['isLinked', 'contacts'], 'own')).toBe('a1 a2');
    expect(await found(['isNotLinked', 'contacts'], 'own')).toBe('a3');
  });

  it('is rejected if the other side or its field is closed', async () => {
    expect(await search(['isLinked', 'contacts'], 'none')).toMatchObject({ status: 403 });
    const closed = await search(['isLinked', 'contacts'], 'closed');
    expect([closed.status, closed.reason]).toEqual([400, "Not existing link 'contacts' in where."]);
  });
});

describe('a condition that names linked records', () => {
  const named = (type: string, link: string) =>
    `Where item '${type}' of '${link}' refers to a record that does not exist or that you may not read.`;

  it.each<readonly [item: Item, actor: string, entityType: string]>([
    [['linkedWith', 'contacts', ['c1', 'nobody']], 'admin', 'Account'],
    [['notLinkedWith', 'contacts', 'nobody'], 'admin', 'Account'],
    [['linkedWithAll', 'contacts', ['c3']], 'admin', 'Account'],
    [['linkedWith', 'assignedUser', ['gone']], 'admin', 'Lead'],
    [['notLinkedWith', 'accounts', 'gone'], 'admin', 'Contact'],
    [['linkedWith', 'parent', ['a3', 'c3']], 'admin', 'Task'],
    [['linkedWith', 'contacts', ['c1', 'c2']], 'own', 'Account'],
    [['notLinkedWith', 'contacts', 'c2'], 'own', 'Account'],
    [['linkedWith', 'accounts', ['a1']], 'closed column', 'Contact'],
  ])(
    'is rejected in %j if the record is missing or hidden from %s',
    async (item, actor, entityType) => {
      const { status, reason } = await search(item, actor, entityType);
      const [type, link] = item;
      const isClosed = actor === 'closed column';
      const message = isClosed ? "Not existing link 'accounts' in where." : named(type, link);
      expect([status, reason]).toEqual([400, message]);
    },
  );

  it('is also rejected within other conditions', async () => {
    const or = [
      { type: 'isNotNull', attribute: 'name' },
      { type: 'and', value: [{ type: 'linkedWith', attribute: 'contacts', value: 'nobody' }] },
    ];
    const answer = await search(['or', '', or]);
    expect([answer.status, answer.reason]).toEqual([400, named('linkedWith', 'contacts')]);
  });

  it('accepts parents of every type and users whom the reader cannot list', async () => {
    expect(await found(['linkedWith', 'parent', ['a3', 'driven']], 'admin', 'Task')).toBe('task');
    expect(await found(['linkedWith', 'assignedUser', 'machine'], 'own user', 'Lead')).toBe(
      'driven',
    );
  });
});

describe('a condition on a link column', () => {
  it.each<readonly [Item, string]>([
    [['columnEquals', 'contactRole', 'of c1'], 'a1'],
    [['columnLike', 'contactRole', 'OF %'], 'a1'],
    [['columnIn', 'contactRole', ['of c2', 'x']], 'a1'],
    [['columnNotIn', 'contactRole', ['of c2']], 'a1'],
    [['columnNotIn', 'contactRole', ['of c1', 'of c2']], ''],
    [['columnIsNull', 'contactRole'], 'a2 a3'],
    [['columnIsNotNull', 'contactRole'], 'a1'],
    [['columnEquals', 'contactIsInactive', true], 'a1'],
  ])('finds the records from the other side for %j: %s', async (item, ids) => {
    expect(await found(item)).toBe(ids);
  });

  it('finds records from the side that stores the columns', async () => {
    const inContacts = (item: Item) => found(item, 'admin', 'Contact');
    expect(await inContacts(['columnEquals', 'accountRole', 'of c1'])).toBe('c1');
    expect(await inContacts(['columnEquals', 'accountIsInactive', 'true'])).toBe('c2');
    expect(await inContacts(['columnIsNull', 'accountRole'])).toBe('c1');
  });

  it('reveals nothing that the actor may not read', async () => {
    expect(await found(['columnEquals', 'contactRole', 'of c2'], 'own')).toBe('');
    expect(await found(['columnEquals', 'contactRole', 'of c1'], 'own')).toBe('a1');
    const refused: readonly (readonly [string, string, string, number])[] = [
      ['contactRole', 'none', 'Account', 403],
      ['contactRole', 'closed', 'Account', 400],
      ['accountRole', 'closed column', 'Contact', 400],
      ['accountRole', 'closed name', 'Contact', 400],
      ['name', 'admin', 'Account', 400],
      ['nonsense', 'admin', 'Account', 400],
    ];
    for (const [attribute, actor, entityType, status] of refused) {
      const item: Item = ['columnLike', attribute, '%'];
      const answer = await search(item, actor, entityType);
      expect([attribute, actor, answer.status]).toEqual([attribute, actor, status]);
    }
  });
});

describe('a condition on users', () => {
  it('finds records of team members if the reader may see the team', async () => {
    const led = (actor: string, teams: unknown) =>
      found(['isUserFromTeams', 'assignedUser', teams], actor, 'Lead');
    expect(await led('admin', ['team'])).toBe('driven led');
    expect(await led('admin', 'else')).toBe('driven');
    expect(await led('admin', [])).toBe('');
    // Only lists for administrators include API users.
    expect(await led('teams', ['team', 'else'])).toBe('led');
    expect(await led('no teams', ['team'])).toBe('');
    expect(await led('own user', ['team'])).toBe('');
    const refused = ['isUserFromTeams', 'assignedUser', ['team']] as const;
    expect(await search(refused, 'closed teams', 'Lead')).toMatchObject({ status: 400 });
    const noUser = ['isUserFromTeams', 'campaign', ['team']] as const;
    expect(await search(noUser, 'admin', 'Lead')).toMatchObject({ status: 400 });
  });

  it('filters users by type, as a condition or as a parameter', async () => {
    const ofType = (value: unknown) => found(['isOfType', 'id', value], 'admin', 'User');
    expect(await ofType('internal')).toBe('chief person');
    expect(await ofType(['api'])).toBe('machine');
    expect(await ofType(['api', 'portal', 'internal'])).toBe('chief machine person');
    expect(await ofType('portal')).toBe('');
    expect(await search(['isOfType', 'id', 'robot'], 'admin', 'User')).toMatchObject({
      status: 400,
    });
    expect(await search(['isOfType', 'id', 'api'])).toMatchObject({ status: 400 });
    expect((await example.get('/User?userType=api')).body).toMatchObject({
      total: 1,
      list: [{ id: 'machine' }],
    });
    expect((await example.get('/User?userType=robot')).status).toBe(400);
    expect((await example.get('/Account?userType=api')).body).toMatchObject({ total: 3 });
  });
});

it('a list can be sorted by the type of the parent', async () => {
  const sorted = async (order: string) => {
    const { body } = await example.get(`/Task?orderBy=parent&order=${order}`);
    return body.list.map(({ id }: { readonly id: string }) => id).join(' ');
  };
  expect(await sorted('asc')).toBe('task other');
  expect(await sorted('desc')).toBe('other task');
});
