import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { authTokenType } from '../../../shared/domain/login/auth-token.ts';
import { secondFactorType, toSecondFactor } from '../../../shared/domain/login/second-factor.ts';
import {
  type Decision,
  decideCreate,
  decideDelete,
  decideUpdate,
  decideWrite,
  live,
} from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import {
  type AttributeValue,
  type AttributeValues,
  toObject,
} from '../../../shared/domain/value/attribute-values.ts';
import type { WriteRequest } from '../owner/command.ts';
import { defineChange } from '../owner/define-command.ts';
import { asValues } from '../owner/read-body.ts';

// Bodies contain only hashes and sealed texts, and never come from a client. `id` is the id of the token or of the
// user.
type LoginRequest = WriteRequest<AttributeValues>;

export const issueTokenCommand = defineChange({
  name: 'issue-token',
  readBody: asValues,
  entityType: authTokenType,
  isCreation: true,
  decide: (state, { body }) => decideCreate(state, body),
});

export const noteTokenUseCommand = defineChange({
  name: 'note-token-use',
  readBody: asValues,
  entityType: authTokenType,
  decide: (state, { id, body }) => decideUpdate(live(state, id), body),
});

export const revokeTokenCommand = defineChange({
  name: 'revoke-token',
  readBody: asValues,
  entityType: authTokenType,
  decide: (state, { id }) => decideDelete(live(state, id)),
});

export const changeSecondFactorCommand = defineChange({
  name: 'change-second-factor',
  readBody: asValues,
  entityType: secondFactorType,
  decide: decideSecondFactor,
});

export const acceptRecoveryCodeCommand = defineChange({
  name: 'accept-recovery-code',
  readBody: asValues,
  entityType: secondFactorType,
  decide: decideRecovery,
});

export const changeCredentialsCommand = defineChange({
  name: 'change-credentials',
  readBody: asValues,
  entityType: 'User',
  decide: decideCredentials,
});

export const loginCommands = [
  issueTokenCommand,
  noteTokenUseCommand,
  revokeTokenCommand,
  changeSecondFactorCommand,
  acceptRecoveryCodeCommand,
  changeCredentialsCommand,
] as const;

/** The user attributes that are credentials. */
const credentialAttributes = ['passwordHash', 'apiKey', 'apiKeyHash', 'secretKey'] as const;

export type Credentials = Readonly<
  Partial<Record<(typeof credentialAttributes)[number], AttributeValue>>
>;

/**
 * Decides a change to a second factor. `lastStep` only increases, so that one of two requests with the same code is
 * rejected, on any instance.
 */
function decideSecondFactor(
  state: RecordState | undefined,
  { actor, id, body: values }: LoginRequest,
): Decision | undefined {
  requireSelfOrAdministrator(actor, id);
  const known = toSecondFactor(state);
  const step = values['lastStep'];
  if (typeof step === 'number' && step <= (known?.lastStep ?? 0)) {
    throw new Refusal('conflict', 'code.used', 'This code was used before.');
  }
  if (typeof values['totpSecret'] === 'string' && known !== undefined) {
    throw new Refusal('conflict', 'second_factor.exists', 'The user already has a second factor.');
  }
  if (values['recoveryHashes'] !== undefined && known === undefined) throw secondFactorMissing();
  // Recovery codes belong to one second factor. A new factor starts without any.
  return decideWrite(state, 'totpSecret' in values ? { ...values, recoveryHashes: null } : values);
}

/** Decides the use of a recovery code, which removes the code. One of two requests with the same code is rejected. */
function decideRecovery(
  state: RecordState | undefined,
  { actor, id, body }: LoginRequest,
): Decision | undefined {
  requireSelfOrAdministrator(actor, id);
  const known = toSecondFactor(state);
  if (state === undefined || known === undefined) throw secondFactorMissing();
  const left = known.recoveryHashes.filter((hash) => hash !== body['recoveryHash']);
  if (left.length === known.recoveryHashes.length) {
    throw new Refusal('conflict', 'code.used', 'This code was used before.');
  }
  return decideUpdate(state, { recoveryHashes: left });
}

function secondFactorMissing(): Refusal {
  const message = 'The user has no second factor. Turn one on first.';
  return new Refusal('conflict', 'second_factor.missing', message);
}

/**
 * Decides a change to credentials. `expected` contains attributes that must not have changed since the sender read
 * them, such as the password.
 */
function decideCredentials(
  current: RecordState | undefined,
  { actor, id, body: { expected, ...values } }: LoginRequest,
): Decision | undefined {
  requireSelfOrAdministrator(actor, id);
  const state = live(current, id);
  const known = Object.entries(toObject(expected));
  if (known.some(([name, value]) => (state.values[name] ?? null) !== value)) {
    throw new Refusal(
      'conflict',
      'credentials.changed',
      'The credentials have changed in the meantime.',
    );
  }
  const unknown = Object.keys(values).find(
    (name) => !credentialAttributes.some((credential) => credential === name),
  );
  if (unknown !== undefined) throw new Error(`${unknown} is not a credential`);
  return decideUpdate(state, values);
}

function requireSelfOrAdministrator(actor: Actor, userId: string): void {
  if (actor.type === 'admin' || actor.id === userId) return;
  throw new Refusal('forbidden', 'access.denied', 'No edit access.');
}
