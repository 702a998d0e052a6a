import type { Actor } from '../../../shared/domain/access/actor.ts';
import { conversionTargets } from '../../../shared/domain/entity/stock/lead.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { forEachParallel } from '../../../shared/runtime/for-each-parallel.ts';
import type { Command, CommandAnswer } from '../forwarding/send-to-owner.ts';
import { type FollowDeps, unlessGone } from '../merge/follow-merge.ts';
import { createCommand } from '../records/record-commands.ts';
import { endConversionCommand, linkConvertedCommand } from './conversion-commands.ts';
import {
  type Conversion,
  type ConversionTarget,
  conversionKey,
  followingKey,
} from './lead-conversion.ts';
import type { ConvertedLinks } from './link-converted.ts';

/** A decided conversion. */
interface DecidedConversion {
  readonly leadId: string;
  readonly conversion: Conversion;
  readonly actor: Actor;
}

type ConversionDeps = Pick<FollowDeps, 'directory' | 'sendToOwner' | 'readState'>;

/**
 * Completes a conversion: creates its records, then links them with the records that the lead is linked with. Every
 * step is idempotent, so any instance can repeat it at any time, also after a crash. Answers the writes, the one that
 * completes the conversion last.
 */
export async function followConversion(
  decided: DecidedConversion,
  deadline: number,
  deps: ConversionDeps,
): Promise<readonly CommandAnswer[]> {
  const made = await makeRecords(decided, deadline, deps);
  if (decided.conversion.linked === undefined) return made;
  const linked = await linkAll(decided, deadline, deps);
  return [...made, ...linked, ...(await end(decided, deadline, deps))];
}

async function makeRecords(
  { leadId, conversion, actor }: DecidedConversion,
  deadline: number,
  { directory, sendToOwner }: ConversionDeps,
): Promise<readonly CommandAnswer[]> {
  const answers: CommandAnswer[] = [];
  for (const target of conversionTargets) {
    const planned = conversion.records[target];
    const model = directory.entity(target);
    if (planned === undefined || model === undefined) continue;
    const named = commandOf(actor, conversionKey(leadId, target, planned), deadline);
    const { id, body } = planned;
    const conditions = { skipDuplicateCheck: true };
    answers.push(await sendToOwner(createCommand, { ...named, model, id, body, conditions }));
  }
  return answers;
}

/** Number of concurrent writes of one conversion. */
const PARALLEL_LINKS = 32;

async function linkAll(
  decided: DecidedConversion,
  deadline: number,
  deps: ConversionDeps,
): Promise<readonly CommandAnswer[]> {
  const { leadId, conversion, actor } = decided;
  const { directory, sendToOwner } = deps;
  const body: ConvertedLinks = { leadId, records: await readLeft(conversion, deps) };
  const answers: CommandAnswer[] = [];
  for (const [entityType, ids] of Object.entries(conversion.linked ?? {})) {
    const model = directory.entity(entityType);
    if (model === undefined) continue;
    const link = async (id: string) => {
      const key = followingKey(leadId, conversion, `${entityType}-${id}`);
      const named = commandOf(actor, key, deadline);
      const linking = sendToOwner(linkConvertedCommand, { ...named, model, id, body });
      await unlessGone(linking.then((answer) => answers.push(answer)));
    };
    await forEachParallel(ids, PARALLEL_LINKS, link);
  }
  return answers;
}

/** The records of a conversion, without those that have been deleted since then. */
async function readLeft(
  { records }: Conversion,
  { directory, readState }: ConversionDeps,
): Promise<ConvertedLinks['records']> {
  const left: Partial<Record<ConversionTarget, string>> = {};
  for (const target of conversionTargets) {
    const id = records[target]?.id;
    const model = directory.entity(target);
    if (id === undefined || model === undefined) continue;
    if ((await readState(model, id))?.deleted === false) left[target] = id;
  }
  return left;
}

/** Marks the conversion as complete; does nothing if the lead has been deleted. */
async function end(
  { leadId, conversion, actor }: DecidedConversion,
  deadline: number,
  { directory, sendToOwner }: ConversionDeps,
): Promise<readonly CommandAnswer[]> {
  const model = directory.entity('Lead');
  if (model === undefined) return [];
  const named = commandOf(actor, followingKey(leadId, conversion, 'end'), deadline);
  try {
    return [
      await sendToOwner(endConversionCommand, { ...named, model, id: leadId, body: conversion }),
    ];
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found') return [];
    throw error;
  }
}

function commandOf(
  actor: Actor,
  commandId: string,
  deadline: number,
): Omit<Command, 'model' | 'id' | 'body'> {
  const named = { commandId, commandHash: commandId };
  return { ...named, actor, deadline, untilReadable: true, conditions: {}, isDecided: true };
}
