import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { type Action, defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import { values } from '../routing/read-body.ts';
import { executeLogin, type LoginAction } from './login-commands.ts';

interface LoginOwner {
  readonly appendToDirectory: Append;
}

export const issueTokenAction = loginAction('issue-token');
export const noteTokenUseAction = loginAction('note-token-use');
export const revokeTokenAction = loginAction('revoke-token');
export const changeSecondFactorAction = loginAction('change-second-factor');
export const changeCredentialsAction = loginAction('change-credentials');

export const loginActions = [
  issueTokenAction,
  noteTokenUseAction,
  revokeTokenAction,
  changeSecondFactorAction,
  changeCredentialsAction,
] as const;

function loginAction<const Name extends LoginAction>(
  name: Name,
): Action<Name, AttributeValues, LoginOwner> {
  return defineAction({
    name,
    readBody: (body) => values(body, 'body'),
    execute: ({ appendToDirectory }: LoginOwner, request) =>
      executeLogin(appendToDirectory, name, request),
  });
}
