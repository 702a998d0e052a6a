import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeSaving } from './describe-saving.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('saving in the console'), () => {
  const fixture = useConsole({ ANNALS_WRITE_TIMEOUT: '5s' });
  describeSaving(fixture);
});
