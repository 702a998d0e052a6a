import type { CommandContext } from '../command/context.ts';
import type { SystemContext } from '../system/context.ts';

/** Everything that the API routes use. */
export interface ApiContext extends CommandContext, SystemContext {}
