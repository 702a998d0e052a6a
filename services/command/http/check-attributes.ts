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

/** Maximum number of problems in a response. The limit also bounds the work to find them. */
const MAX_NAMED = 50;

interface CheckedAttributes {
  /**
   * Returns the body. Called before the write. Throws if `X-Strict: true` is set and the body contains attributes that
   * would be ignored.
   */
  readonly readBody: () => JsonObject;
  /**
   * Lists the ignored attributes in `X-Ignored-Attributes`, percent-encoded, in the order of the body. Called after the
   * write.
   */
  readonly setIgnored: (reply: FastifyReply) => void;
}

/**
 * Finds attributes of a body that will be ignored because they are unknown or the user may not edit them. Read-only
 * attributes are not reported, because clients send records back as they have read them.
 */
export function checkAttributes(
  { headers }: FastifyRequest,
  command: Command,
  findModel: FindModel,
): CheckedAttributes {
  const { model, body } = command;
  const [first, ...others] = findIgnored(command, findModel);
  if (first === undefined) return { readBody: () => body, setIgnored: () => undefined };
  return {
    readBody() {
      if (isOn(headers['x-strict'])) throw validationFailure(model.name, [first, ...others]);
      return body;
    },
    setIgnored(reply) {
      setIgnoredHeader(
        reply,
        [first, ...others].map(({ field }) => field),
      );
    },
  };
}

function findIgnored(
  { actor, model, body }: Command,
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

/**
 * Returns true if a body may contain this name even though it is not an attribute. Links are looked up last, because
 * few bodies need this check.
 */
function isKnownKey(model: EntityModel, name: string, findModel: FindModel): boolean {
  if (isReadOnlyKey(model, name) || moreKeys[model.name]?.includes(name) === true) return true;
  return [...linksOf(model, findModel).values()].some((link) => foreignIds(model, link) === name);
}

/** Names that bodies of some entity types may contain in addition to attributes. */
const moreKeys: Readonly<Record<string, readonly string[]>> = {
  Note: Object.keys(noMarks),
  User: ['password', 'passwordConfirm', 'sendAccessInfo'],
  Webhook: ['headers', 'standardSecret'],
};

/** Returns true for names that are not attributes but are part of the response to a single read. */
function isReadOnlyKey({ definition }: EntityModel, name: string): boolean {
  if (name === 'id' || name === 'deleted') return true;
  if (name === 'versionNumber') return definition.hasVersionNumber === true;
  return definition.hasStream === true && Object.hasOwn(noFollowing, name);
}
