// Generates the load in a process separate from the server.

import { runClosedLoop } from '../load/closed-loop.ts';
import { serveParent } from './serve-parent.ts';

serveParent(runClosedLoop);
