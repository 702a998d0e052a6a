import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import { bodyOf, json, oneOf, text } from '../routing/read-body.ts';
import { type Definition, decideDefinition, definitionKinds } from './define-entities.ts';

interface DefinitionOwner {
  readonly directory: Directory;
  readonly appendToDirectory: Append;
}

export const defineEntityAction = defineAction({
  name: 'define',
  readBody: bodyOf<Definition>({ kind: oneOf(definitionKinds), entityType: text, body: json }),
  execute: async ({ directory, appendToDirectory }: DefinitionOwner, request) => {
    const decide = decideDefinition(directory, request.body);
    return appendToDirectory(request, { id: request.id, isCreation: false, decide });
  },
});

export const definitionActions = [defineEntityAction] as const;
