import { appendToDirectory } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asJson, asObject, asOneOf, asText, asValues } from '../owner/read-body.ts';
import { type Definition, decideDefinition, definitionKinds } from './define-entities.ts';
import { decideGrant, type Grant } from './grant-access.ts';
import { layoutCommand } from './layout-command.ts';

export const defineEntityCommand = defineCommand({
  name: 'define',
  readBody: asObject<Definition>({
    kind: asOneOf(definitionKinds),
    entityType: asText,
    body: asJson,
  }),
  execute: (context, request) => {
    const decide = decideDefinition(context.directory, request.body);
    return appendToDirectory(context, request, { id: request.id, decide });
  },
});

export const grantCommand = defineCommand({
  name: 'grant',
  readBody: asObject<Grant>({ scope: asText, levels: asValues }),
  execute: (context, request) =>
    appendToDirectory(context, request, {
      id: request.id,
      decide: decideGrant(request.id, request.body),
    }),
});

export const definitionCommands = [defineEntityCommand, grantCommand, layoutCommand] as const;
