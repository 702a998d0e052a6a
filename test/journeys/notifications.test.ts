import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeNotifications } from './describe-notifications.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('notifications in the console'), () => {
  const fixture = useConsole();
  describeNotifications(fixture);
});
