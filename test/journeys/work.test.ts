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
  const stand = useConsole();
  describeSessions(stand);
  describeRecords(stand);
  describeMany(stand);
  describeForeignText(stand);
  describeWebhooks(stand);
  describePeople(stand);
});
