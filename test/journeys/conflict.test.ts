import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeConflict } from './describe-conflict.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('conflicts in the console'), () => {
  const fixture = useConsole();
  describeConflict(fixture);
});
