import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeFindings } from './describe-findings.ts';
import { describeHappened } from './describe-happened.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the console for operators'), () => {
  const fixture = useConsole();
  describeFindings(fixture);
  describeHappened(fixture);
});
