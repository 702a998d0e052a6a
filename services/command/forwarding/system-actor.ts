import type { Actor } from '../../../shared/domain/access/actor.ts';
import { buildActor } from '../../../shared/domain/access/build-actor.ts';

/** The actor of changes that nobody asked for. */
export const systemActor = { id: 'system', name: 'System' } as const;

/** For commands that the installation gives itself. */
export const systemAdministrator: Actor = buildActor(
  { ...systemActor, userName: 'system', type: 'admin', teamIds: [] },
  [],
);
