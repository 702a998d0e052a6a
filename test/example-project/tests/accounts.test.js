import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startAnnals } from 'annals/testing';

let annals;
let headers;

before(async () => {
  annals = await startAnnals();
  headers = { 'X-Api-Key': annals.apiKey.apiKey, 'Content-Type': 'application/json' };
});
after(async () => annals?.stop());

const listAccounts = async () => (await fetch(`${annals.url}/api/v1/Account`, { headers })).json();

test('each test file starts with an unused Annals', async () => {
  assert.equal((await listAccounts()).total, 0);
});

test('a created record is listed', async () => {
  const written = await fetch(`${annals.url}/api/v1/Account`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Acme' }),
  });
  assert.equal(written.status, 200);
  const { total, list } = await listAccounts();
  assert.equal(total, 1);
  assert.equal(list[0].name, 'Acme');
});
