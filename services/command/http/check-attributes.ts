import type { FastifyReply, FastifyRequest } from 'fastify';
import { closedFields } from '../../../shared/domain/access/actor.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { foreignIds, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { type FieldProblem, validationFailure } from '../../../shared/domain/errors.ts';
import { noFollowing } from '../../../shared/domain/stream/following.ts';
import { noMarks } from '../../../shared/domain/stream/post-marks.ts';
import { setIgnoredHeader } from '../../../shared/http/set-ignored-header.ts';
import type { Command } from '../owner/command.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { isOn } from './read-write-headers.ts';

/** Limits the problems of an answer, and the work for them. */
const MAX_NAMED = 50;

interface CheckedAttributes {
  /** Before the write: the body. With `X-Strict: true` a request with ignored attributes is refused. */
  readonly readBody: () => JsonObject;
  /** After the write: names them in `X-Ignored-Attributes`, percent-encoded, in the order of the body. */
  readonly tellIgnored: (reply: FastifyReply) => void;
}

/**
 * Finds attributes of a body that will be ignored: unknown ones, and those that the user may not edit. Read-only ones are
 * not among them, because clients send back records as they read them.
 */
export function checkAttributes(
  { headers }: FastifyRequest,
  command: Pick<Command, 'actor' | 'model' | 'body'>,
  findModel: FindModel,
): CheckedAttributes {
  const { model, body } = command;
  const [first, ...others] = findIgnored(command, findModel);
  if (first === undefined) return { readBody: () => body, tellIgnored: () => undefined };
  return {
    readBody() {
      if (isOn(headers['x-strict'])) throw validationFailure(model.name, [first, ...others]);
      return body;
    },
    tellIgnored(reply) {
      setIgnoredHeader(
        reply,
        [first, ...others].map(({ field }) => field),
      );
    },
  };
}

function findIgnored(
  { actor, model, body }: Pick<Command, 'actor' | 'model' | 'body'>,
  findModel: FindModel,
): readonly FieldProblem[] {
  const { edit } = closedFields(actor, model);
  const ignored: FieldProblem[] = [];
  for (const name of Object.keys(body)) {
    const field = model.attribute.get(name)?.field;
    if (field !== undefined) {
      if (!edit.has(field)) continue;
      ignored.push({ field: name, type: 'closed', message: `You may not edit ${field}.` });
    } else if (!isKnownKey(model, name, findModel)) {
      const message = `${model.name} has no such attribute.`;
      ignored.push({ field: name, type: 'unknown', message });
    }
    if (ignored.length === MAX_NAMED) break;
  }
  return ignored;
}

/** Whether a body may have a name that is no attribute. Links are looked up last, because few bodies need it. */
function isKnownKey(model: EntityModel, name: string, findModel: FindModel): boolean {
  if (isReadOnlyKey(model, name) || moreKeys[model.name]?.includes(name) === true) return true;
  return [...linksOf(model, findModel).values()].some((link) => foreignIds(model, link) === name);
}

/** Names in bodies of some entity types that are no attributes. */
const moreKeys: Readonly<Record<string, readonly string[]>> = {
  Note: Object.keys(noMarks),
  User: ['password', 'passwordConfirm'],
  Webhook: ['headers', 'standardSecret'],
};

/** Whether a name is no attribute, but part of the answers of single reads. */
function isReadOnlyKey({ definition }: EntityModel, name: string): boolean {
  if (name === 'id' || name === 'deleted') return true;
  if (name === 'versionNumber') return definition.hasVersionNumber === true;
  return definition.hasStream === true && Object.hasOwn(noFollowing, name);
}
