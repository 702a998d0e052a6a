import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeSearch } from './describe-search.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the searches of the console'), () => {
  const fixture = useConsole();
  describeSearch(fixture);
});
