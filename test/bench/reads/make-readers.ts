import { createApiClient, recordIn } from '../../support/api-client.ts';
import { withPassword } from '../../support/credentials.ts';
import type { StartedProduct } from '../../support/harness/product.ts';

interface Reader {
  readonly apiKey: string;
  readonly userId: string;
  readonly teamId: string;
}

export interface Readers {
  /** Reads only its own Contacts. */
  readonly own: Reader;
  /** Reads its own Contacts and those of its team. */
  readonly team: Reader;
}

/** Creates API users whose roles show them few of all Contacts; both belong to the same team. */
export async function makeReaders(product: StartedProduct): Promise<Readers> {
  const admin = createApiClient(product.url, withPassword(product.access().admin));
  const make = async (entityType: string, body: object) =>
    recordIn(await admin.post(`/${entityType}`, body));
  const teamId = String((await make('Team', { name: 'Readers' }))['id']);
  const makeReader = async (read: 'own' | 'team'): Promise<Reader> => {
    const data = { Contact: { create: 'no', read, edit: 'no', delete: 'no' } };
    const { id: roleId } = await make('Role', { name: read, data });
    const user = await make('User', {
      userName: `reader-${read}`,
      type: 'api',
      rolesIds: [roleId],
      teamsIds: [teamId],
    });
    return { apiKey: String(user['apiKey']), userId: String(user['id']), teamId };
  };
  try {
    return { own: await makeReader('own'), team: await makeReader('team') };
  } finally {
    admin.close();
  }
}
