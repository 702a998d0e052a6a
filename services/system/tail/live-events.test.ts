import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { anObserved } from '../../../test/support/builders/observed.ts';
import { followLiveEvents } from './live-events.ts';

describe('live events', () => {
  it('begin once their positions are loaded and release waiting readers on failure', async () => {
    const connecting = Promise.withResolvers<never>();
    const live = followLiveEvents(anObserved({ connect: () => connecting.promise }));
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
