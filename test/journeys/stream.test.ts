import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeStream } from './describe-stream.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the stream in the console'), () => {
  const fixture = useConsole();
  describeStream(fixture);
});
