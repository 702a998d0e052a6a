import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { Authentication } from '../../../shared/http/login/authenticate.ts';

/** Throws `password.wrong` unless this is the password of the user. Wrong passwords count as failed logins. */
export async function confirmPassword(
  authentication: Authentication,
  request: FastifyRequest,
  { user, password }: { readonly user: RecordState; readonly password: string },
): Promise<void> {
  if (await authentication.confirmPassword(request, user, password)) return;
  throw new Refusal('forbidden', 'password.wrong', 'Wrong password.');
}
