import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeOffice } from './describe-office.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the console in an office'), () => {
  const fixture = useConsole();
  describeOffice(fixture);
});
