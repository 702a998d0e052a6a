// Generates the load in a process separate from the server.

import { runClosedLoop } from '../load/closed-loop.ts';
import { answerParent } from './answer-parent.ts';

answerParent(runClosedLoop);
