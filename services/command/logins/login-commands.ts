import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { Append } from '../forwarding/append.ts';
import { type CommandDefinition, defineCommand } from '../forwarding/define-command.ts';
import { asValues } from '../forwarding/read-body.ts';
import { handleLogin, type LoginCommandName } from './handle-login.ts';

interface LoginOwner {
  readonly appendToDirectory: Append;
}

export const issueTokenCommand = loginCommand('issue-token');
export const noteTokenUseCommand = loginCommand('note-token-use');
export const revokeTokenCommand = loginCommand('revoke-token');
export const changeSecondFactorCommand = loginCommand('change-second-factor');
export const changeCredentialsCommand = loginCommand('change-credentials');

export const loginCommands = [
  issueTokenCommand,
  noteTokenUseCommand,
  revokeTokenCommand,
  changeSecondFactorCommand,
  changeCredentialsCommand,
] as const;

function loginCommand<const Name extends LoginCommandName>(
  name: Name,
): CommandDefinition<Name, AttributeValues, LoginOwner> {
  return defineCommand({
    name,
    readBody: (body) => asValues(body, 'body'),
    execute: ({ appendToDirectory }: LoginOwner, request) =>
      handleLogin(appendToDirectory, name, request),
  });
}
