import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { followLiveEvents } from './live-events.ts';

describe('live events', () => {
  it('begin once their positions are loaded, and release waiting readers if that fails', async () => {
    const connecting = Promise.withResolvers<never>();
    const observed = { connect: () => connecting.promise, log: pino({ level: 'silent' }) };
    const live = followLiveEvents(observed as unknown as Observed);
    live.subscribe({ onEvent: () => undefined, onEnd: () => undefined });
    let hasBegun = false;
    const begun = live.begun().then(() => (hasBegun = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasBegun).toBe(false);
    connecting.reject(new Unavailable('away'));
    await begun;
    await live.close();
  });
});
