import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { AuthToken } from '../../../shared/domain/login/auth-token.ts';
import { buildServer } from '../../../shared/http/server/build-server.ts';
import type { CommandContext } from '../context.ts';
import { registerInternalLogins } from './internal-login-routes.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 100 * HOUR_MS;

function start() {
  const recorded: string[] = [];
  const states = new Map(
    [
      { id: 'due', usedAtMs: NOW_MS - 2 * HOUR_MS, deleted: false },
      { id: 'recent', usedAtMs: NOW_MS - 1_000, deleted: false },
      { id: 'ended', usedAtMs: NOW_MS - 2 * HOUR_MS, deleted: true },
    ].map(({ id, usedAtMs, deleted }) => [id, { id, deleted, values: { usedAtMs } }]),
  );
  const context = {
    clock: { now: () => NOW_MS },
    config: { tokenLifetime: { maxIdleMs: 48 * HOUR_MS, maxAgeMs: 0 } },
    directory: { record: (_: string, id: string) => states.get(id) },
    logins: {
      recordTokenUse: ({ id }: AuthToken) => void recorded.push(id),
      acceptCode: async (userId: string, step: number) => userId === 'ann' && step === 7,
      acceptRecoveryCode: async (_: string, hash: string) => hash === 'right',
    },
  } as unknown as CommandContext;
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 10_000 });
  registerInternalLogins(server, 'secret', () => context);
  const post = async (name: string, payload: object, token = 'secret') =>
    server.inject({
      method: 'POST',
      url: `/internal/logins/${name}`,
      headers: { authorization: `Bearer ${token}` },
      payload,
    });
  return { recorded, post };
}

describe('the internal routes for log-ins', () => {
  it('record a use only if it is due and the log-in has not ended', async () => {
    const { recorded, post } = start();
    const answer = await post('token-uses', { ids: ['due', 'recent', 'ended', 'unknown'] });
    expect([answer.statusCode, recorded]).toEqual([200, ['due']]);
  });

  it('return whether a code was accepted', async () => {
    const { post } = start();
    const isAccepted = async (name: string, body: object) => (await post(name, body)).json();
    expect(await isAccepted('codes', { userId: 'ann', step: 7 })).toEqual({ isAccepted: true });
    expect(await isAccepted('codes', { userId: 'ann', step: 6 })).toEqual({ isAccepted: false });
    const recovery = { userId: 'ann', hash: 'right' };
    expect(await isAccepted('recovery-codes', recovery)).toEqual({ isAccepted: true });
  });

  it('reject requests without the internal token', async () => {
    const { recorded, post } = start();
    for (const name of ['token-uses', 'codes', 'recovery-codes'])
      expect((await post(name, { ids: ['due'] }, 'guess')).statusCode).toBe(401);
    expect(recorded).toEqual([]);
  });
});
