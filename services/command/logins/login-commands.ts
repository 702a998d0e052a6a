import { authTokenType } from '../../../shared/domain/login/auth-token.ts';
import { secondFactorType } from '../../../shared/domain/login/second-factor.ts';
import {
  type Decision,
  decideCreate,
  decideDelete,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { appendToDirectory } from '../owner/append.ts';
import { type CommandDefinition, defineCommand } from '../owner/define-command.ts';
import { asValues } from '../owner/read-body.ts';
import { decideCredentials, decideSecondFactor, type LoginRequest } from './decide-login.ts';

export const issueTokenCommand = loginCommand({
  name: 'issue-token',
  entityType: authTokenType,
  isCreation: true,
  decide: (state, { body }) => decideCreate(state, body),
});

export const noteTokenUseCommand = loginCommand({
  name: 'note-token-use',
  entityType: authTokenType,
  decide: (state, { id, body }) => decideUpdate(live(state, id), body),
});

export const revokeTokenCommand = loginCommand({
  name: 'revoke-token',
  entityType: authTokenType,
  decide: (state, { id }) => decideDelete(live(state, id)),
});

export const changeSecondFactorCommand = loginCommand({
  name: 'change-second-factor',
  entityType: secondFactorType,
  decide: decideSecondFactor,
});

export const changeCredentialsCommand = loginCommand({
  name: 'change-credentials',
  entityType: 'User',
  decide: decideCredentials,
});

export const loginCommands = [
  issueTokenCommand,
  noteTokenUseCommand,
  revokeTokenCommand,
  changeSecondFactorCommand,
  changeCredentialsCommand,
] as const;

/**
 * A change of a log-in or of a user's credentials. Its body has only hashes and sealed texts, and never comes from a
 * client.
 */
function loginCommand<const Name extends string>({
  name,
  entityType,
  isCreation = false,
  decide,
}: {
  readonly name: Name;
  readonly entityType: string;
  readonly isCreation?: boolean;
  readonly decide: (state: RecordState | undefined, request: LoginRequest) => Decision | undefined;
}): CommandDefinition<Name, AttributeValues> {
  return defineCommand({
    name,
    readBody: asValues,
    execute: (context, request) =>
      appendToDirectory(
        context,
        { ...request, model: { name: entityType } },
        { id: request.id, isCreation, decide: (state) => decide(state, request) },
      ),
  });
}
