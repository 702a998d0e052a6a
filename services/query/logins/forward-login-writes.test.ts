import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestOwner } from '../../../shared/directory/request-owner.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { AuthToken } from '../../../shared/domain/login/auth-token.ts';
import { forwardLoginWrites } from './forward-login-writes.ts';

type Sent = Parameters<RequestOwner>[0];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** `answer` is called with each request to the owner of the directory. */
function start(answer: (request: Sent) => Promise<unknown>) {
  const sent: Sent[] = [];
  const closers: (() => unknown)[] = [];
  let dropped = (): unknown => undefined;
  const writes = forwardLoginWrites({
    requestOwner: async (request) => {
      sent.push(request);
      return answer(request);
    },
    lifecycle: { opened: (_, close) => void closers.push(close) },
    log: pino({ level: 'silent' }),
    metrics: {
      read: (_, read) => {
        dropped = read;
      },
    },
  });
  const use = (id: string) => writes.recordTokenUse({ id } as AuthToken);
  const close = async () => Promise.all(closers.map((one) => one()));
  return { writes, sent, use, close, dropped: () => dropped() };
}

const path = '/internal/logins/token-uses';

describe('uses of tokens in a query process', () => {
  it('are sent to the owner of the directory once per second, each token once', async () => {
    const { sent, use } = start(async () => ({}));
    for (const id of ['one', 'two', 'one']) use(id);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([{ method: 'POST', path, body: { ids: ['one', 'two'] } }]);
    use('one');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent[1]).toEqual({ method: 'POST', path, body: { ids: ['one'] } });
  });

  it('are dropped and counted if no api responds, until the token is used again', async () => {
    let isAway = true;
    const { sent, use, dropped } = start(async () => {
      if (isAway) throw new Unavailable('no owner');
      return {};
    });
    use('one');
    use('two');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(dropped()).toBe(2);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toHaveLength(1);
    use('one');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([sent.length, dropped()]).toEqual([2, 2]);
  });

  it('do not start a second request while the owner has not responded', async () => {
    let respond = (): void => {};
    const { sent, use } = start(
      async () =>
        new Promise((resolve) => {
          respond = () => resolve({});
        }),
    );
    use('one');
    await vi.advanceTimersByTimeAsync(1_000);
    use('two');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toHaveLength(1);
    respond();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent[1]).toMatchObject({ body: { ids: ['two'] } });
    respond();
  });

  it('are limited to 1,000 tokens per second', async () => {
    const { sent, use, dropped } = start(async () => ({}));
    for (let index = 0; index < 1_003; index++) use(`token-${index}`);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toMatchObject([{ body: { ids: { length: 1_000 } } }]);
    expect(dropped()).toBe(3);
  });

  it('are sent before the process stops', async () => {
    const { sent, use, close } = start(async () => ({}));
    use('one');
    await close();
    expect(sent).toHaveLength(1);
  });
});

describe('codes in a query process', () => {
  it('are accepted or rejected by the owner of the directory', async () => {
    const { writes, sent } = start(async ({ path: to }) => ({ isAccepted: to.endsWith('/codes') }));
    expect(await writes.acceptCode('ann', 7)).toBe(true);
    expect(await writes.acceptRecoveryCode('ann', 'hash')).toBe(false);
    expect(sent).toEqual([
      { method: 'POST', path: '/internal/logins/codes', body: { userId: 'ann', step: 7 } },
      {
        method: 'POST',
        path: '/internal/logins/recovery-codes',
        body: { userId: 'ann', hash: 'hash' },
      },
    ]);
  });

  it('are unavailable if no api responds', async () => {
    const { writes } = start(async () => {
      throw new Unavailable('no owner');
    });
    await expect(writes.acceptCode('ann', 7)).rejects.toThrow(Unavailable);
  });
});
