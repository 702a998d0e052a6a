// Makes the load of somebody who does not care for the answers, apart from what it loads.
import { answerParent } from './answer-parent.ts';
import { runEndlessLoop } from './load/endless-loop.ts';

answerParent(runEndlessLoop);
