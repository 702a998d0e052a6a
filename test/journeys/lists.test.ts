import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeCells } from './describe-cells.ts';
import { describeLists } from './describe-lists.ts';
import { describeMerge } from './describe-merge.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the lists of the console'), () => {
  const fixture = useConsole();
  describeLists(fixture);
  describeCells(fixture);
  describeMerge(fixture);
});
