// Generates the load of a client that ignores the responses, in a process separate from the server.

import { runEndlessLoop } from '../load/endless-loop.ts';
import { serveParent } from './serve-parent.ts';

serveParent(runEndlessLoop);
