import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeFacts } from './describe-facts.ts';
import { describeRecord } from './describe-record.ts';
import { describeRichText } from './describe-rich-text.ts';
import { describeUndo } from './describe-undo.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('a record in the console'), () => {
  const fixture = useConsole();
  describeRecord(fixture);
  describeRichText(fixture);
  describeUndo(fixture);
  // Last, because the list of recent changes includes its changes.
  describeFacts(fixture);
});
