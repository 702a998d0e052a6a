import {
  customPrefixId,
  storedCustomPrefix,
} from '../../../shared/domain/directory/custom-prefix.ts';
import { settingType } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideCreate } from '../../../shared/domain/record/decide.ts';
import type { CommandContext } from '../context.ts';
import { appendToDirectory } from '../owner/append.ts';
import { systemActor, unrepeated } from '../owner/command.ts';

const TIMEOUT_MS = 30_000;

/**
 * Writes the prefix choice to a log without one (docs/adr/0049). A new log gets `always` unless the variable is set. An
 * existing log gets a choice only if the variable is set, so that an upgrade changes no names. Must be the first write
 * by a new owner of the directory, because a log counts as new only while the directory is empty.
 */
export async function keepCustomPrefix(context: CommandContext): Promise<void> {
  const { config, directory } = context;
  const request = {
    actor: systemActor,
    model: { name: settingType },
    identity: unrepeated,
    deadline: context.now() + TIMEOUT_MS,
  };
  try {
    await appendToDirectory(context, request, {
      id: customPrefixId,
      decide(state) {
        if (state !== undefined) return undefined;
        const choice = config.customPrefix ?? (directory.revision() === 0 ? 'always' : undefined);
        return choice === undefined ? undefined : decideCreate(state, { choice });
      },
    });
  } catch (error) {
    // Nothing to write: the log stays without a choice.
    if (!(error instanceof Refusal && error.code === 'record.not_found')) throw error;
  }
}

/** Warns if the variable differs from the choice in the log. */
export function warnOfIgnoredPrefix({ config, directory, log }: CommandContext): void {
  const { customPrefix: configured } = config;
  const choice = storedCustomPrefix(directory);
  if (choice === undefined || configured === undefined || configured === choice) return;
  log.warn(
    { configured, choice },
    'API_CUSTOM_PREFIX is ignored because the log contains a different choice',
  );
}
