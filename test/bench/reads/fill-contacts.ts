import { withClient } from '../../../infra/local/postgres/ask-database.ts';
import { contactBodies } from '../contact-bodies.ts';

export interface Installation {
  readonly url: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
}

/**
 * Creates one Contact through the API and multiplies its row in the read model, which is quicker than `count` events
 * and the same to a reader. Answers the ids.
 */
export async function fillContacts(at: Installation, count: number): Promise<readonly string[]> {
  const template = await createContact(at);
  return withClient(at.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(multiply, [template, count]);
    await client.query(
      `update annals.entity_counts set live = live + $1 where entity_type = 'Contact'
       and partition = (select min(partition) from annals.entity_counts where entity_type = 'Contact')`,
      [count],
    );
    await client.query('vacuum analyze annals.contact');
    return rows.map(({ id }) => id);
  });
}

/** Newest last, a second apart, and before the one that they are copies of. */
const multiply = `
  insert into annals.contact
  select copy.* from annals.contact template, generate_series(1, $2::int) number,
    lateral jsonb_populate_record(template, jsonb_build_object(
      'id', lpad(to_hex(number), 17, '0'),
      'last_name', 'Lastname' || number, 'name', 'First Lastname' || number,
      'created_at', template.created_at - make_interval(secs => $2 - number))) copy
  where template.id = $1 returning id`;

async function createContact({ url, apiKey }: Installation): Promise<string> {
  const response = await fetch(`${url}/api/v1/Contact`, {
    method: 'POST',
    headers: {
      'X-Api-Key': apiKey,
      'Content-Type': 'application/json',
      'X-Skip-Duplicate-Check': 'true',
    },
    body: JSON.stringify(contactBodies(1)[0]),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text).id;
}
