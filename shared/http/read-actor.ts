import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Directory } from '../domain/directory/directory.ts';
import { requireActive } from './login/wrong-credentials.ts';
import { consistencyTokenHeader, type UntilConsistent } from './until-consistent.ts';

export interface ReaderDeps {
  readonly directory: Directory;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly untilConsistent: UntilConsistent;
}

/** Returns the actor of a read, after waiting for the writes in its X-Consistency-Token. */
export async function readActor(
  { directory, authenticate, untilConsistent }: ReaderDeps,
  request: FastifyRequest,
): Promise<Actor> {
  const actor = await authenticate(request);
  if (request.headers[consistencyTokenHeader] === undefined) return actor;
  await untilConsistent(request.headers);
  // Looked up again: the awaited writes may have changed the actor's permissions.
  const user = directory.record('User', actor.id);
  return user === undefined ? actor : directory.actor(requireActive(user));
}
