import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startAnnals } from 'annals/testing';

const twoDaysMs = 48 * 3_600_000;
let annals;

before(async () => {
  annals = await startAnnals();
});
after(async () => annals?.stop());

const logIn = (secret) => {
  const login = Buffer.from(`${annals.user.userName}:${secret}`).toString('base64');
  return fetch(`${annals.url}/api/v1/App/user`, { headers: { 'Espo-Authorization': login } });
};

test('a token expires two days after its last use', async () => {
  const { token } = await (await logIn(annals.user.password)).json();
  assert.equal((await logIn(token)).status, 200);
  await annals.clock.advance(twoDaysMs + 1);
  assert.equal((await logIn(token)).status, 401);
});
