// The process that makes the load, apart from what it loads.
import { answerParent } from './answer-parent.ts';
import { runClosedLoop } from './load/closed-loop.ts';

answerParent(runClosedLoop);
