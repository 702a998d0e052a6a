import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeDefinitions } from './describe-definitions.ts';
import { describeOverview } from './describe-overview.ts';
import { describeShell } from './describe-shell.ts';
import { describeSystem } from './describe-system.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason("the console's pages"), () => {
  const fixture = useConsole();
  describeOverview(fixture);
  describeDefinitions(fixture);
  describeSystem(fixture);
  describeShell(fixture);
});
