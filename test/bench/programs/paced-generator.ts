// Makes a steady load, apart from what it loads.

import { runPacedLoop } from '../load/paced-loop.ts';
import { answerParent } from './answer-parent.ts';

answerParent(runPacedLoop);
