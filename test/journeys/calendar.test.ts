import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeCalendar } from './describe-calendar.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the calendar of the console'), () => {
  describeCalendar(useConsole());
});
