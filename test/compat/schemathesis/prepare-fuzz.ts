import type { AccessFile } from '../../../infra/local/supervisor/access-file.ts';
import { type ApiClient, createApiClient, recordIn } from '../../support/api-client.ts';
import { unique } from '../../support/builders/record-builders.ts';
import { withApiKey, withEspo, withPassword } from '../../support/credentials.ts';

/** A user, with the one header that authenticates the requests. */
export interface FuzzUser {
  readonly name: string;
  readonly header: string;
}

export interface FuzzTarget {
  readonly url: string;
  /** The OpenAPI document that an administrator gets. */
  readonly document: string;
  /** The administrator is last, because it may delete the other one. */
  readonly users: readonly [restricted: FuzzUser, administrator: FuzzUser];
}

/** Creates records and an API user who can read some of them, and fetches the document. */
export async function prepareFuzz(access: AccessFile, webhookUrl: string): Promise<FuzzTarget> {
  const { url, admin } = access;
  const client = createApiClient(url, withPassword(admin));
  const restricted = await makeRestrictedUser(client);
  const { text } = await client.get('/OpenApi');
  const administrator = await logIn(client, admin);
  client.close();
  return {
    url,
    document: forFuzz(text, webhookUrl),
    users: [
      {
        name: 'a user with few permissions',
        header: toHeader(withApiKey({ apiKey: restricted })('', '')),
      },
      { name: 'administrator', header: toHeader(administrator) },
    ],
  };
}

const own = { create: 'yes', read: 'own', edit: 'own', delete: 'own', stream: 'own' };
const team = { create: 'yes', read: 'team', edit: 'own', delete: 'own', stream: 'team' };
const open = { create: 'yes', read: 'all', edit: 'team', delete: 'no', stream: 'all' };
const hidden = { read: 'no', edit: 'no' };

/** A role with every level and hidden fields; campaigns and target lists are closed entirely. */
const role = {
  name: 'Fuzzed',
  assignmentPermission: 'team',
  massUpdatePermission: 'yes',
  data: {
    Account: team,
    Contact: own,
    Lead: open,
    Case: team,
    Opportunity: { create: 'no', read: 'all', edit: 'no', delete: 'no', stream: 'no' },
    Task: own,
    Webhook: true,
    OpenApi: true,
  },
  fieldData: {
    Account: { description: hidden, website: { read: 'yes', edit: 'no' } },
    Contact: { emailAddress: hidden },
    Lead: { status: hidden },
  },
};

async function makeRestrictedUser(client: ApiClient): Promise<string> {
  const make = async (entityType: string, body: object) =>
    recordIn(await client.post(`/${entityType}`, body));
  const teamsIds = [(await make('Team', { name: unique('Fuzzed') })).id];
  const rolesIds = [(await make('Role', role)).id];
  const userName = unique('fuzzed').replace(' ', '-');
  const user = await make('User', { type: 'api', userName, rolesIds, teamsIds });
  for (let index = 0; index < 3; index++) {
    const shared = index === 0 ? {} : { teamsIds };
    const { id } = await make('Account', { name: unique('Fuzzed'), ...shared });
    await make('Contact', { lastName: unique('Fuzzed'), accountId: id, ...shared });
    await make('Case', { name: unique('Fuzzed'), accountId: id, ...shared });
    await make('Lead', { lastName: unique('Fuzzed') });
  }
  return String(user['apiKey']);
}

/** Returns a token, because a password would be hashed with every request. */
async function logIn(client: ApiClient, { userName, password }: AccessFile['admin']) {
  const answer = await client.as(withEspo({ userName, secret: password })).get('/App/user');
  return withEspo({ userName, secret: String(Object(answer.body).token) })('', '');
}

function toHeader(headers: Readonly<Record<string, string>>): string {
  const [pair = ['', '']] = Object.entries(headers);
  return pair.join(': ');
}

/**
 * Restricts webhook URLs of the run to one address, whatever names are generated. Removes the other document,
 * whose path has a server that schemathesis does not support.
 */
function forFuzz(text: string, url: string): string {
  const document = JSON.parse(text);
  delete document.paths['/asyncapi.json'];
  for (const name of ['Webhook', 'Webhook_create']) {
    const schema = document.components.schemas[name];
    schema.properties.url = { type: 'string', enum: [url] };
    for (const example of schema.examples ?? []) example.url = url;
  }
  return JSON.stringify(document);
}
