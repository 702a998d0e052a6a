// Generates a steady load in a process separate from the server.

import { runPacedLoop } from '../load/paced-loop.ts';
import { answerParent } from './answer-parent.ts';

answerParent(runPacedLoop);
