import type { Actor } from '../../../shared/domain/access/actor.ts';
import { buildActor } from '../../../shared/domain/access/build-actor.ts';
import { unasked } from './send-to-owner.ts';

/** The id of the actor of changes that no user requested. */
export const systemActor = { id: 'system', name: 'System' } as const;

/** The actor of commands that the installation issues itself. */
export const systemAdministrator: Actor = buildActor(
  { ...systemActor, userName: 'system', type: 'admin', teamIds: [] },
  [],
);

/** The parts of such a command, beside its record, body and deadline. */
export const bySystem = { ...unasked, actor: systemAdministrator };
