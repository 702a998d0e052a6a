import { type QueryExample, secrets } from './query-example.ts';

/** Creates the tables, and stores a few records of each kind for tests of reads and lists. */
export async function storeExampleRecords(example: QueryExample): Promise<void> {
  const { addToDirectory, store } = example;
  addToDirectory('User', 'u1', { userName: 'ann', name: 'Ann' });
  addToDirectory('User', 'u2', { userName: 'bob', name: 'Bob' });
  addToDirectory('Team', 't1', { name: 'Sales' });
  await example.createTables();
  await store('User', {
    id: 'u1',
    userName: 'ann',
    name: 'Ann',
    passwordHash: 'scrypt',
    apiKey: secrets.seal('an api key'),
  });
  await store('User', { id: 'u2', userName: 'bob', name: 'Bob' });
  await store('Account', {
    id: 'a1',
    version: 7,
    name: 'Acme',
    type: 'Partner',
    website: 'https://acme.example',
    description: 'x'.repeat(10_001),
    emailAddress: 'a@acme.example',
    emailAddressData: [{ emailAddress: 'a@acme.example', primary: true }],
    billingAddressCity: 'Berlin',
    billingAddressLatitude: 52.5,
    createdById: 'u1',
    modifiedAt: '2030-01-02 11:00:00',
    assignedUserId: 'u2',
    teamsIds: ['t1', 't9'],
  });
  await store('Account', { id: 'a2', name: 'Zeta', type: 'Customer', assignedUserId: 'u1' });
  await store('Account', { id: 'a3', name: 'Mid', createdAt: '2030-01-01 12:00:00' });
  await store('Account', { id: 'a4', name: 'Gone', deleted: true });
  await store('Contact', {
    id: 'c1',
    name: 'Ada L',
    lastName: 'L',
    accountId: 'a1',
    accountsIds: ['a1', 'a2'],
  });
  await store('Contact', {
    id: 'c2',
    name: 'Bo',
    lastName: 'Bo',
    accountId: 'a2',
    campaignId: 'x',
  });
  await store('Contact', { id: 'c3', name: 'Cy', lastName: 'Cy', accountId: 'nowhere' });
  for (const number of [1, 2, 3]) {
    await store('Case', { id: `case${number}`, name: `Case ${number}`, number, version: number });
  }
  const secretKey = secrets.seal('hook secret');
  const hook = { event: 'Account.create', url: 'https://x.example', secretKey };
  await store('Webhook', { id: 'w1', ...hook, userId: 'api' });
  await store('Webhook', { id: 'w2', ...hook, userId: 'other' });
  await store('Webhook', { id: 'w3', ...hook, userId: 'api', deleted: true });
  await store('Role', { id: 'r1', name: 'All', data: {} });
}
