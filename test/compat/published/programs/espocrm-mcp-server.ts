// Uses the tools of espocrm-mcp-server. The first argument is the path of its program.
import assert from 'node:assert/strict';
import { openMcpSession, variable } from './mcp-session.ts';

const session = await openMcpSession(process.argv[2] ?? '', {
  ESPOCRM_SITE_URL: variable('ANNALS_URL'),
  ESPOCRM_API_KEY: variable('ANNALS_API_KEY'),
});
const name = `Assistant ${process.pid} ${Date.now()}`;
const record = async (tool: string, args: object) => JSON.parse(await session.use(tool, args));
const ofType = (entityType: string, more: object) => ({ entityType, ...more });

const { id } = await record('create_record', ofType('Account', { data: { name } }));
const contact = { lastName: name, accountId: id };
const { id: contactId } = await record('create_record', ofType('Contact', { data: contact }));
assert.equal((await record('get_record', ofType('Account', { id }))).name, name);
const data = { type: 'Customer' };
assert.equal((await record('update_record', ofType('Account', { id, data }))).type, 'Customer');
const searchParams = {
  select: 'id,name',
  where: [{ type: 'equals', attribute: 'name', value: name }],
  maxSize: 5,
};
const found = await record('search_records', ofType('Account', { searchParams }));
assert.deepEqual([found.total, found.list[0].id], [1, id]);
const related = { id, link: 'contacts', searchParams: { maxSize: 5 } };
const linked = await record('get_related_records', ofType('Account', related));
assert.deepEqual(
  linked.list.map((one: { readonly id: string }) => one.id),
  [contactId],
);
const webhook = { event: 'Account.create', url: 'https://example.com/assistant' };
const { id: webhookId } = await record('create_record', ofType('Webhook', { data: webhook }));
await record('delete_record', ofType('Webhook', { id: webhookId }));
await record('delete_record', ofType('Contact', { id: contactId }));
await record('delete_record', ofType('Account', { id }));
await assert.rejects(session.use('get_record', ofType('Account', { id })), /404/);
session.end();
