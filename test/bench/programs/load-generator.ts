// The process that makes the load, apart from what it loads.

import { runClosedLoop } from '../load/closed-loop.ts';
import { answerParent } from './answer-parent.ts';

answerParent(runClosedLoop);
