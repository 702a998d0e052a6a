import { describe } from 'vitest';
import { hasBrowser } from './browser.ts';
import { describeDefinitions } from './describe-definitions.ts';
import { describeForeignText } from './describe-foreign-text.ts';
import { describeMany } from './describe-many.ts';
import { describePeople } from './describe-people.ts';
import { describeRecords } from './describe-records.ts';
import { describeSessions } from './describe-sessions.ts';
import { describeShell } from './describe-shell.ts';
import { describeSystem } from './describe-system.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { useConsole } from './use-console.ts';

const title = hasBrowser ? 'the console' : 'the console (skipped: there is no browser)';

// One product for all: starting it takes longer than most journeys.
describe.skipIf(!hasBrowser)(title, () => {
  const stand = useConsole();
  describeSessions(stand);
  describeRecords(stand);
  describeMany(stand);
  describeForeignText(stand);
  describeWebhooks(stand);
  describePeople(stand);
  describeDefinitions(stand);
  describeSystem(stand);
  describeShell(stand);
});
