// Makes a steady load, apart from what it loads.
import { answerParent } from './answer-parent.ts';
import { runPacedLoop } from './load/paced-loop.ts';

answerParent(runPacedLoop);
