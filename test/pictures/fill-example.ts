import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type ApiClient, recordIn } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import type { Subscriber } from '../support/receivers/subscriber.ts';

/** Ids of the records shown in the screenshots. */
export interface ExamplePlaces {
  /** An account with a history. */
  readonly account: string;
  /** A webhook with deliveries of all outcomes. */
  readonly webhook: string;
  readonly role: string;
}

interface Example {
  readonly api: ApiClient;
  readonly receiver: Subscriber;
  readonly databaseUrl: string;
}

const accounts = [
  ['Nordlicht Solar', 'Customer', 'Energy', 'Bremen'],
  ['Baker & Rye', 'Customer', 'Food & Beverage', 'Leeds'],
  ['Aurora Logistics', 'Partner', 'Transportation', 'Rotterdam'],
  ['Velo Works', 'Customer', 'Manufacturing', 'Copenhagen'],
  ['Harbour Clinic', 'Customer', 'Healthcare', 'Cork'],
  ['Papyrus Press', 'Reseller', 'Publishing', 'Vienna'],
  ['Silva Timber', 'Customer', 'Construction', 'Porto'],
  ['Kestrel Aviation', 'Investor', 'Aerospace', 'Bristol'],
  ['Marta Iglesias Design', 'Partner', 'Creative', 'Bilbao'],
  ['Lumen Schools', 'Customer', 'Education', 'Utrecht'],
  ['Tarn Water', 'Customer', 'Energy', 'Albi'],
  ['Quay Insurance', 'Partner', 'Insurance', 'Galway'],
] as const;
const people = [
  ['Ines', 'Falk'],
  ['Tom', 'Baker'],
  ['Saskia', 'de Wit'],
  ['Jonas', 'Krogh'],
  ['Aoife', 'Byrne'],
  ['Lena', 'Hofer'],
  ['Rui', 'Silva'],
  ['Grace', 'Kestrel'],
] as const;
const leads = ['Amir Haddad', 'Bea Lindqvist', 'Carlo Monti', 'Dora Weiss'] as const;
const deals = [
  ['Solar roof, school in Walle', 'Prospecting', 48_000],
  ['Storage for the depot', 'Prospecting', 21_500],
  ['Service contract 2027', 'Qualification', 12_800],
  ['Fleet telematics', 'Proposal', 64_000],
  ['Solar park Cuxhaven', 'Proposal', 310_000],
  ['Data platform', 'Negotiation', 95_000],
  ['Annual maintenance', 'Negotiation', 18_400],
  ['Charging stations', 'Closed Won', 72_500],
] as const;
const cases = [
  'Invoice shows the old address',
  'Export stops at 5,000 rows',
  'Cannot sign in on the phone',
] as const;

/** Creates sample records, webhooks (one of them failing), and the measurements of a day. */
export async function fillExample(example: Example): Promise<ExamplePlaces> {
  const { api } = example;
  const make = async (entity: string, values: object): Promise<string> =>
    recordIn(await api.post(`/${entity}`, values)).id;
  const ann = await make('User', {
    userName: 'ann',
    firstName: 'Ann',
    lastName: 'Okafor',
    type: 'regular',
  });
  const ids: string[] = [];
  for (const [name, type, industry, billingAddressCity] of accounts) {
    const website = `https://${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`;
    const phoneNumber = `+49421555${100 + ids.length}`;
    const place = { billingAddressCity, website, phoneNumber };
    const values = { name, type, industry, ...place, assignedUserId: ann };
    ids.push(await make('Account', values));
  }
  const [account = '', second = ''] = ids;
  for (const [index, [firstName, lastName]] of people.entries()) {
    await make('Contact', { firstName, lastName, accountId: ids[index], assignedUserId: ann });
  }
  for (const name of leads) {
    const [firstName, lastName] = name.split(' ');
    await make('Lead', { firstName, lastName, assignedUserId: ann });
  }
  for (const [index, [name, stage, amount]] of deals.entries()) {
    const accountId = index % 2 === 0 ? account : ids[index];
    const values = { name, stage, amount, closeDate: `2027-0${index + 1}-15`, accountId };
    await make('Opportunity', { ...values, assignedUserId: ann });
  }
  const activity = { parentType: 'Account', parentId: account, assignedUserId: ann };
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const meeting = { dateStart: `${day(2)} 09:00:00`, dateEnd: `${day(2)} 10:00:00` };
  await make('Meeting', { name: 'Kick-off for the roof in Walle', ...meeting, ...activity });
  const task = { name: 'Send the revised offer', dateEnd: `${day(3)} 15:00:00` };
  await make('Task', { ...task, ...activity });
  for (const name of cases) await make('Case', { name, accountId: account, assignedUserId: ann });
  await storeDay(example.databaseUrl);
  const webhook = await sendWebhooks(example, second);
  for (const values of [
    { phoneNumber: '+49421555010' },
    { type: 'Partner', industry: 'Construction' },
    { website: 'https://nordlicht.example', description: 'Roofs of schools and halls.' },
    {
      billingAddressStreet: 'Am Wall 12',
      billingAddressPostalCode: '28195',
      billingAddressCountry: 'Germany',
      emailAddress: 'info@nordlicht.example',
    },
    { type: 'Customer', industry: 'Energy', name: 'Nordlicht Solar GmbH' },
  ]) {
    await api.patch(`/Account/${account}`, values);
  }
  return { account, webhook, role: await make('Role', supportRole) };
}

const DAY_MS = 86_400_000;

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'no', stream: 'all' };
const supportRole = {
  name: 'Support',
  data: {
    Account: { ...all, create: 'no', edit: 'team' },
    Case: { ...all, delete: 'own' },
    Contact: { ...all, edit: 'team' },
    Document: { ...all, create: 'no', edit: 'no' },
    Lead: false,
    Opportunity: { ...all, create: 'no', read: 'team', edit: 'no', stream: 'no' },
    Task: { ...all, read: 'own', edit: 'own', delete: 'own', stream: 'own' },
  },
};

/**
 * Creates a webhook whose receiver is temporarily unavailable, and one whose receiver always fails. Returns the
 * former's id.
 */
async function sendWebhooks({ api, receiver }: Example, account: string): Promise<string> {
  const [good = '', bad = ''] = await Promise.all(
    [
      { event: 'Account.update', url: receiver.url('/warehouse'), description: 'To the warehouse' },
      { event: 'Account.fieldUpdate.description', url: receiver.url('/mailings') },
    ].map(async (values) => recordIn(await api.post('/Webhook', values)).id),
  );
  receiver.answer('/mailings', 500);
  for (let round = 0; round < ROUNDS; round += 1) {
    receiver.answer('/warehouse', isAway(round) ? 503 : 200);
    const before = receiver.requests('/warehouse').length;
    await api.patch(`/Account/${account}`, { description: `Order ${4711 + round}` });
    const wanted = before + (isAway(round) ? ATTEMPTS : 1);
    await eventually(async () => {
      if (receiver.requests('/warehouse').length < wanted)
        throw new Error('some deliveries have not arrived yet');
    });
  }
  if (good === '' || bad === '') throw new Error('creating a webhook failed');
  return good;
}

const ROUNDS = 14;
const ATTEMPTS = 2;
const isAway = (round: number): boolean => round === 5 || round === 6;

/** Adds made-up changes of the last day to the history, fewer of them at night. No entity type has their records. */
async function storeDay(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `insert into annals.record_history (entity_type, record_id, version, event, at_ms)
       select 'Example', 'example' || step, version, '', $1::bigint - step * 600000
       from generate_series(0, 143) step,
         generate_series(1, 250 + (150 * cos(step * pi() / 72))::int + step * 7 % 40) version`,
      [Date.now()],
    );
  });
}
