import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { Append } from '../forwarding/append.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import { asJson, asOneOf, asText, asValues, bodyOf } from '../forwarding/read-body.ts';
import { type Definition, decideDefinition, definitionKinds } from './define-entities.ts';
import { decideGrant, type Grant } from './grant-access.ts';

interface DefinitionOwner {
  readonly directory: Directory;
  readonly appendToDirectory: Append;
}

export const defineEntityCommand = defineCommand({
  name: 'define',
  readBody: bodyOf<Definition>({
    kind: asOneOf(definitionKinds),
    entityType: asText,
    body: asJson,
  }),
  execute: async ({ directory, appendToDirectory }: DefinitionOwner, request) => {
    const decide = decideDefinition(directory, request.body);
    return appendToDirectory(request, { id: request.id, isCreation: false, decide });
  },
});

export const grantCommand = defineCommand({
  name: 'grant',
  readBody: bodyOf<Grant>({ scope: asText, levels: asValues }),
  execute: async ({ appendToDirectory }: Pick<DefinitionOwner, 'appendToDirectory'>, request) => {
    const { id, body } = request;
    return appendToDirectory(request, { id, isCreation: false, decide: decideGrant(id, body) });
  },
});

export const definitionCommands = [defineEntityCommand, grantCommand] as const;
