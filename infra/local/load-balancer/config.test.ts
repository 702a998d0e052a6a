import { describe, expect, it } from 'vitest';
import { loadBalancerConfig } from './config.ts';

const env = { INTERNAL_PORT: '9090', ANNALS_SECRET_KEY: 'ab'.repeat(32) };

describe('loadConfig of the load balancer', () => {
  it('reads targets on its own host', () => {
    const targets = '8081/9081, 8082/9082';
    expect(loadBalancerConfig({ ...env, ANNALS_FRONT_TARGETS: targets }).targets).toEqual([
      { host: '127.0.0.1', port: 8081, internalPort: 9081 },
      { host: '127.0.0.1', port: 8082, internalPort: 9082 },
    ]);
  });

  it.each(['api-1', 'api-1:8080/9090', '8080', '8081/9081/1', ':8080/9090'])(
    'rejects the target %s with an example of a valid one',
    (target) => {
      expect(() => loadBalancerConfig({ ...env, ANNALS_FRONT_TARGETS: target })).toThrow(
        /ANNALS_FRONT_TARGETS must hold entries such as 8081\/9081, got/,
      );
    },
  );
});
