import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeProfile } from './describe-profile.ts';
import { describeRoles } from './describe-roles.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('profile and roles in the console'), () => {
  const fixture = useConsole();
  describeProfile(fixture);
  describeRoles(fixture);
});
