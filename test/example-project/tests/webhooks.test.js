import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startAnnals, until } from 'annals/testing';

const tenMinutesMs = 600_000;
let annals;
let receiver;
let webhook;

before(async () => {
  annals = await startAnnals();
  receiver = await annals.startReceiver();
  webhook = await post('Webhook', { event: 'Account.create', url: receiver.url('/new') });
});
after(async () => annals?.stop());

async function call(path, init = {}) {
  const headers = { 'X-Api-Key': annals.apiKey.apiKey, 'Content-Type': 'application/json' };
  const response = await fetch(`${annals.url}/api/v1/${path}`, { ...init, headers });
  assert.ok(response.ok, await response.clone().text());
  return response.json();
}

const post = (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) });
const received = (count) =>
  until(() => {
    const requests = receiver.requests('/new');
    assert.equal(requests.length, count);
    return requests[count - 1];
  });

test('a change arrives, signed with the secret of the webhook', async () => {
  assert.equal((await call('Account')).total, 0);
  const { id } = await post('Account', { name: 'Acme' });
  const request = await received(1);
  assert.ok(receiver.isSignedBy(request, webhook));
  assert.equal(receiver.isSignedBy(request, { ...webhook, secretKey: 'another' }), false);
  assert.equal(receiver.events('/new')[0].id, id);
});

test('a rejected request is repeated after ten minutes, which the test skips', async () => {
  receiver.answer('/new', 500);
  await post('Account', { name: 'Globex' });
  await received(2);
  await until(async () => {
    const { list } = await call(`Webhook/${webhook.id}/attempts?state=retry`);
    assert.notEqual(list.length, 0);
  });
  receiver.answer('/new', 200);
  await annals.clock.advance(tenMinutesMs);
  assert.ok(receiver.isSignedBy(await received(3), webhook));
});
