import { beforeEach, describe, expect, it } from 'vitest';
import { stopAll } from './stop-all.ts';

let stopped: string[];
beforeEach(() => {
  stopped = [];
});

const part = (name: string, failure?: Error) => ({
  async stop() {
    stopped.push(name);
    if (failure !== undefined) throw failure;
  },
});

describe('stopAll', () => {
  it('stops the parts in reverse order of their start', async () => {
    await stopAll([part('network'), part('kafka'), part('api')]);
    expect(stopped).toEqual(['api', 'kafka', 'network']);
  });

  it('stops the remaining parts when some fail and reports each failure', async () => {
    const failures = [new Error('api is stuck'), new Error('kafka is stuck')] as const;
    const parts = [part('network'), part('kafka', failures[1]), part('api', failures[0])];
    const error: unknown = await stopAll(parts).catch((thrown: unknown) => thrown);

    expect(stopped).toEqual(['api', 'kafka', 'network']);
    expect(error).toBeInstanceOf(AggregateError);
    expect(error).toMatchObject({
      errors: failures,
      message: '2 of 3 parts of Annals could not be stopped: api is stuck; kafka is stuck',
    });
  });
});
