// Generates a steady load in a process separate from the server.

import { runPacedLoop } from '../load/paced-loop.ts';
import { serveParent } from './serve-parent.ts';

serveParent(runPacedLoop);
