import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeForeignText } from './describe-foreign-text.ts';
import { describeMany } from './describe-many.ts';
import { describePeople } from './describe-people.ts';
import { describeRecords } from './describe-records.ts';
import { describeSessions } from './describe-sessions.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the console at work'), () => {
  const fixture = useConsole();
  describeSessions(fixture);
  describeRecords(fixture);
  describeMany(fixture);
  describeForeignText(fixture);
  describeWebhooks(fixture);
  describePeople(fixture);
});
