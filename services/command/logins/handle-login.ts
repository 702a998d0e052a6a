import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { authTokenType } from '../../../shared/domain/login/auth-token.ts';
import { secondFactorType, toSecondFactor } from '../../../shared/domain/login/second-factor.ts';
import {
  type Decision,
  decideCreate,
  decideDelete,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import type { Append, AppendRequest } from '../forwarding/append.ts';
import type { Executed } from '../forwarding/write-request.ts';

/**
 * Changes of log-ins and of users' credentials. Their bodies have only hashes and sealed texts, and never come from a
 * client.
 */
export type LoginCommandName =
  | 'issue-token'
  | 'note-token-use'
  | 'revoke-token'
  | 'change-second-factor'
  | 'change-credentials';

export interface LoginRequest extends Omit<AppendRequest, 'model'> {
  readonly actor: Actor;
  /** Id of the token, or of the user. */
  readonly id: string;
  readonly body: AttributeValues;
}

/** The credentials among the attributes of a user. */
const credentialAttributes: ReadonlySet<string> = new Set([
  'passwordHash',
  'apiKey',
  'apiKeyHash',
  'secretKey',
]);

const typeOf: Readonly<Record<LoginCommandName, string>> = {
  'issue-token': authTokenType,
  'note-token-use': authTokenType,
  'revoke-token': authTokenType,
  'change-second-factor': secondFactorType,
  'change-credentials': 'User',
};

export function handleLogin(
  appendToDirectory: Append,
  name: LoginCommandName,
  request: LoginRequest,
): Promise<Executed> {
  const isCreation = name === 'issue-token';
  return appendToDirectory(
    { ...request, model: { name: typeOf[name] } },
    { id: request.id, isCreation, decide: (state) => decideLogin(name, request, state) },
  );
}

function decideLogin(
  name: LoginCommandName,
  { actor, id, body: values }: LoginRequest,
  state: RecordState | undefined,
): Decision | undefined {
  switch (name) {
    case 'issue-token':
      return decideCreate(state, values);
    case 'note-token-use':
      return decideUpdate(live(state, id), values);
    case 'revoke-token':
      return decideDelete(live(state, id));
    case 'change-second-factor':
      requireSelfOrAdministrator(actor, id);
      return decideSecondFactor(state, values);
    case 'change-credentials':
      requireSelfOrAdministrator(actor, id);
      return decideCredentials(live(state, id), values);
  }
}

/** `lastStep` only grows, so of two requests with the same code one is refused, on whichever instances. */
function decideSecondFactor(
  state: RecordState | undefined,
  values: AttributeValues,
): Decision | undefined {
  const known = toSecondFactor(state);
  const step = values['lastStep'];
  if (typeof step === 'number' && step <= (known?.lastStep ?? 0)) {
    throw new Refusal('conflict', 'code.used', 'This code was used before.');
  }
  if (typeof values['totpSecret'] === 'string' && known !== undefined) {
    throw new Refusal('conflict', 'second_factor.exists', 'There is a second factor already.');
  }
  return state === undefined ? decideCreate(state, values) : decideUpdate(state, values);
}

/** `expected` has attributes that must not have changed since the sender read them, above all the password. */
function decideCredentials(
  state: RecordState,
  { expected, ...values }: AttributeValues,
): Decision | undefined {
  const known = Object.entries((expected ?? {}) as Readonly<Record<string, AttributeValue>>);
  if (known.some(([name, value]) => (state.values[name] ?? null) !== value)) {
    throw new Refusal('conflict', 'credentials.changed', 'The credentials changed meanwhile.');
  }
  const unknown = Object.keys(values).find((name) => !credentialAttributes.has(name));
  if (unknown !== undefined) throw new Error(`${unknown} is no credential`);
  return decideUpdate(state, values);
}

function requireSelfOrAdministrator(actor: Actor, userId: string): void {
  if (actor.type === 'admin' || actor.id === userId) return;
  throw new Refusal('forbidden', 'access.denied', 'No edit access.');
}
