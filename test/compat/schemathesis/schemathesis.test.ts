import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { becauseOf } from '../../support/docker-obstacle.ts';
import { type StartedProduct, startProduct } from '../../support/harness/product.ts';
import { type Subscriber, startSubscriber } from '../../support/receivers/subscriber.ts';
import { type FuzzTarget, prepareFuzz } from './prepare-fuzz.ts';
import { countCases, prepareSchemathesis, runSchemathesis } from './run-schemathesis.ts';

// npm run compat sends many more.
const environment = await prepareSchemathesis();
const obstacle = 'obstacle' in environment ? environment.obstacle : undefined;
const python = 'python' in environment ? environment.python : '';

describe.skipIf(obstacle !== undefined)(`schemathesis${becauseOf(obstacle)}`, () => {
  let product: StartedProduct;
  let subscriber: Subscriber;
  let target: FuzzTarget;

  beforeAll(async () => {
    subscriber = await startSubscriber();
    product = await startProduct({ env: { WEBHOOK_ALLOWED_ADDRESSES: subscriber.address } });
    target = await prepareFuzz(product.access(), subscriber.url('/fuzz'));
  });

  afterAll(async () => {
    await product?.remove();
    await subscriber?.close();
  });

  it.each([
    [0, ['fuzzing'], 1, 12],
    [1, ['fuzzing'], 1, 12],
    [0, ['stateful'], 40, 6],
    [1, ['stateful'], 40, 6],
  ] as const)(
    'as user %i finds no server error or undocumented response (%s)',
    { timeout: 360_000 },
    async (which, phases, maxExamples, seconds) => {
      const user = target.users[which];
      if (user === undefined) throw new Error('the user is missing');
      let cases = 0;
      // On a busy machine, reading the document can take all of the time, so the run is repeated with more time.
      for (const times of [1, 2, 4]) {
        const { code, output } = await runSchemathesis(python, {
          target,
          user,
          plan: {
            seed: 20_261_121,
            phases,
            maxExamples,
            maxSeconds: times * seconds,
          },
        });
        expect(code, output).toBe(0);
        cases = countCases(output);
        if (cases > 0) break;
      }

      expect(cases).toBeGreaterThan(0);
      expect(product.output()).not.toMatch(/is being started again/);
    },
  );
});
