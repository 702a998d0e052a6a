import { describe } from 'vitest';
import { hasBrowser, withSkipReason } from './browser.ts';
import { describeBoard } from './describe-board.ts';
import { useConsole } from './use-console.ts';

describe.skipIf(!hasBrowser)(withSkipReason('the board of the console'), () => {
  describeBoard(useConsole());
});
