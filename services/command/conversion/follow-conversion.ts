import type { Actor } from '../../../shared/domain/access/actor.ts';
import { conversionTargets } from '../../../shared/domain/entity/stock/lead.ts';
import { forEachParallel } from '../../../shared/runtime/limit-concurrency.ts';
import type { CommandContext } from '../context.ts';
import { toStep, unlessGone } from '../merge/follow-merge.ts';
import type { CommandAnswer } from '../owner/command.ts';
import { createCommand } from '../records/create.ts';
import { endConversionCommand, linkConvertedCommand } from './conversion-commands.ts';
import {
  type Conversion,
  type ConversionTarget,
  conversionKey,
  followingKey,
} from './lead-conversion.ts';
import type { ConvertedLinks } from './link-converted.ts';

/** A decided conversion, and the context needed to complete it. */
interface Following extends CommandContext {
  readonly leadId: string;
  readonly conversion: Conversion;
  readonly actor: Actor;
  readonly deadline: number;
}

/**
 * Completes a conversion: creates its records, then links them with the lead's linked records. Every step is
 * idempotent, so any instance can repeat it at any time, even after a crash. Returns the writes, the last of which
 * completes the conversion.
 */
export async function followConversion(following: Following): Promise<readonly CommandAnswer[]> {
  const made = await makeRecords(following);
  if (following.conversion.linked === undefined) return made;
  const linked = await linkAll(following);
  return [...made, ...linked, ...(await end(following))];
}

async function makeRecords(following: Following): Promise<readonly CommandAnswer[]> {
  const { leadId, conversion, actor, deadline, directory, sender } = following;
  const answers: CommandAnswer[] = [];
  for (const target of conversionTargets) {
    const planned = conversion.records[target];
    const model = directory.entity(target);
    if (planned === undefined || model === undefined) continue;
    const step = toStep(actor, conversionKey(leadId, target, planned), deadline);
    const { id, body } = planned;
    const conditions = { skipDuplicateCheck: true };
    answers.push(await sender.send(createCommand, { ...step, model, id, body, conditions }));
  }
  return answers;
}

/** Maximum number of concurrent writes in one conversion. */
const PARALLEL_LINKS = 32;

async function linkAll(following: Following): Promise<readonly CommandAnswer[]> {
  const { leadId, conversion, actor, deadline, directory, sender } = following;
  const body: ConvertedLinks = { leadId, records: await readLeft(following) };
  const answers: CommandAnswer[] = [];
  for (const [entityType, ids] of Object.entries(conversion.linked ?? {})) {
    const model = directory.entity(entityType);
    if (model === undefined) continue;
    const link = async (id: string) => {
      const key = followingKey(leadId, conversion, `${entityType}-${id}`);
      const command = { ...toStep(actor, key, deadline), model, id, body };
      const answer = await unlessGone(sender.send(linkConvertedCommand, command));
      if (answer !== undefined) answers.push(answer);
    };
    await forEachParallel(ids, PARALLEL_LINKS, link);
  }
  return answers;
}

/** Returns the conversion's records that have not been deleted in the meantime. */
async function readLeft(following: Following): Promise<ConvertedLinks['records']> {
  const { conversion, directory, readState } = following;
  const left: Partial<Record<ConversionTarget, string>> = {};
  for (const target of conversionTargets) {
    const id = conversion.records[target]?.id;
    const model = directory.entity(target);
    if (id === undefined || model === undefined) continue;
    if ((await readState(model, id))?.deleted === false) left[target] = id;
  }
  return left;
}

/** Marks the conversion as complete; does nothing if the lead has been deleted. */
async function end(following: Following): Promise<readonly CommandAnswer[]> {
  const { leadId: id, conversion: body, actor, deadline, directory, sender } = following;
  const model = directory.entity('Lead');
  if (model === undefined) return [];
  const step = toStep(actor, followingKey(id, body, 'end'), deadline);
  const ended = await unlessGone(sender.send(endConversionCommand, { ...step, model, id, body }));
  return ended === undefined ? [] : [ended];
}
