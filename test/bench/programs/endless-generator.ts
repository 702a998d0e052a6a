// Makes the load of somebody who does not care for the answers, apart from what it loads.

import { runEndlessLoop } from '../load/endless-loop.ts';
import { answerParent } from './answer-parent.ts';

answerParent(runEndlessLoop);
