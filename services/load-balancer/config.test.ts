import { describe, expect, it } from 'vitest';
import { loadBalancerConfig } from './config.ts';

const env = { INTERNAL_PORT: '9090', INTERNAL_HOST: '0.0.0.0' };

describe('loadConfig of the load balancer', () => {
  it('reads targets on its own host and on other hosts', () => {
    const targets = '8081/9081, api-2:8080/9090';
    expect(loadBalancerConfig({ ...env, ANNALS_FRONT_TARGETS: targets }).targets).toEqual([
      { host: '0.0.0.0', port: 8081, internalPort: 9081 },
      { host: 'api-2', port: 8080, internalPort: 9090 },
    ]);
  });

  it.each(['api-1', 'api-1:8080', '8080', 'http://api-1:8080/9090', '8081/9081/1', ':8080/9090'])(
    'rejects the target %s with an example of a valid one',
    (target) => {
      expect(() => loadBalancerConfig({ ...env, ANNALS_FRONT_TARGETS: target })).toThrow(
        /ANNALS_FRONT_TARGETS must hold entries such as 8081\/9081 or api:8080\/9090/,
      );
    },
  );
});
