import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeIntegrators } from './describe-integrators.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the console for integrators'), () => {
  // A failed batch becomes a dead letter immediately.
  describeIntegrators(useConsole({ WEBHOOK_MAX_ATTEMPT_NUMBER: '1' }));
});
