import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeImport } from './describe-import.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('imports in the console'), () => {
  const fixture = useConsole();
  describeImport(fixture);
});
