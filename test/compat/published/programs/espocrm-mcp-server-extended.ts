// Uses the tools of espocrm-mcp-server-extended, which return sentences. The first argument is the path of
// its program.
import assert from 'node:assert/strict';
import { openMcpSession, variable } from './mcp-session.ts';

const session = await openMcpSession(process.argv[2] ?? '', {
  ESPOCRM_URL: variable('ANNALS_URL'),
  ESPOCRM_API_KEY: variable('ANNALS_API_KEY'),
  LOG_LEVEL: 'error',
});
// The server accepts only names of letters.
const letters = [...`${Date.now()}`].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('');
const name = `Extended ${letters}`;
const idIn = (text: string): string => {
  const id = /\b[0-9a-f]{17}\b/.exec(text)?.[0];
  assert.ok(id, text);
  return id;
};
const made = async (tool: string, args: object) => idIn(await session.use(tool, args));

assert.match(await session.use('health_check', {}), /success|connected|ok|healthy/i);
const account = await made('create_account', { name, type: 'Customer' });
const contact = await made('create_contact', { firstName: 'Ada', lastName: name });
const lead = await made('create_lead', {
  firstName: 'Ada',
  lastName: `${name} Lead`,
  source: 'Call',
});
const caseId = await made('create_case', { name, priority: 'High', accountId: account });
await session.use('update_case', { caseId, status: 'Assigned' });
assert.match(await session.use('search_accounts', { name, type: 'Customer' }), new RegExp(name));
assert.match(await session.use('search_contacts', { searchTerm: name }), new RegExp(name));
assert.match(await session.use('search_cases', { name }), new RegExp(name));
const custom = { entityType: 'Account', entityId: account };
const filters = { name, type: 'Customer' };
const search = { entityType: 'Account', filters, select: ['id', 'name'], orderBy: 'name' };
assert.match(await session.use('search_entity', search), /^Found 1 /);
await session.use('update_entity', { ...custom, data: { description: 'changed' } });
const read = await session.use('get_entity', { ...custom, select: ['id', 'description'] });
assert.match(read, /changed/);
const pair = { ...custom, relationshipName: 'contacts' };
await session.use('link_entities', { ...pair, relatedEntityIds: [contact] });
assert.match(await session.use('get_entity_relationships', pair), new RegExp(name));
await session.use('unlink_entities', { ...pair, relatedEntityIds: [contact] });
await session.use('add_note', { post: 'A note', parentType: 'Account', parentId: account });
assert.match(
  await session.use('search_notes', { searchTerm: 'A note', parentId: account }),
  /A note/,
);
await session.use('search_users', { isActive: true });
await session.use('convert_lead', { leadId: lead, createContact: true, createAccount: false });
const webhook = { event: 'Account.create', url: 'https://example.com/extended' };
const hook = await made('create_entity', { entityType: 'Webhook', data: webhook });
await session.use('delete_entity', { entityType: 'Webhook', entityId: hook });
await session.use('delete_entity', { entityType: 'Contact', entityId: contact });
await session.use('delete_entity', custom);
await assert.rejects(session.use('get_entity', custom));
session.end();
